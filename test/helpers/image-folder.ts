import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureSites } from '../../dev/stack/site.ts'
import { buildNode } from '../../worker/node/build.ts'

/** A folder laid out like the container image, and the user its programs run as. */
export interface ImageFolder {
  dir: string
  node: string
  /** Empty where the tests are not run by root: then they run as another user already. */
  user: { uid?: number; gid?: number }
  remove(): void
}

/** Builds the programs into a folder that their user can read and not write, with nothing else of the project near. */
export async function makeImageFolder(): Promise<ImageFolder> {
  const { site } = await ensureSites()
  if (site === null) throw new Error('this checkout has no site')
  const base = mkdtempSync(join(tmpdir(), 'coinslot-image-'))
  const dir = join(base, 'app')
  await buildNode(dir, site)
  const node = join(base, 'node')
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  chmodSync(base, 0o755)
  const isRoot = process.getuid?.() === 0
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  return { dir, node, user, remove: () => rmSync(base, { recursive: true, force: true }) }
}
