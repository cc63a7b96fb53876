import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  builtFolder,
  CONTRACT_SOURCES,
  hashSources,
  lastBuiltFolder,
  ROOT,
  type Sources,
} from '../process/built-folder.ts'

/** The sources that the sites are built from. */
export const SITE_SOURCES: Sources = {
  files: ['dev/stack/site.ts', 'dev/process/built-folder.ts'],
  folders: ['web', 'client', 'protocol', ...CONTRACT_SOURCES],
}

/** The site, and those that are served below its address. Each is a separate build with the demo wallet. */
const ROOTS = { site: 'web/site', presale: 'web/landing', dashboard: 'web/dashboard' } as const

type SiteName = keyof typeof ROOTS
/** The folders of the built sites; null for one that this checkout does not have, or that has never built. */
export type SiteFolders = Record<SiteName, string | null>

/** A guard against a build that hangs: a slow or busy machine may need minutes. */
const DEADLINE_MS = 600_000

type Warn = (text: string) => void

/**
 * The folders of the sites for the local stack. Those are built now whose sources have changed. A failed build is reported through
 * `warn`; then the last one that succeeded is used, and without any the API starts anyway. Without `warn` it throws.
 */
export async function ensureSites(warn?: Warn): Promise<SiteFolders> {
  const hash = hashSources(SITE_SOURCES)
  const [site, presale, dashboard] = await Promise.all(
    [ROOTS.site, ROOTS.presale, ROOTS.dashboard].map((root) => ensureSite(root, hash, warn)),
  )
  return { site: site ?? null, presale: presale ?? null, dashboard: dashboard ?? null }
}

/** The folder of one site, as `ensureSites` returns it. `root` is its folder from the root of the repository. */
export async function ensureSite(root: string, hash: Promise<string>, warn?: Warn): Promise<string | null> {
  if (!(await exists(join(ROOT, root, 'vite.config.ts')))) return null
  const name = `site-${basename(root)}`
  try {
    return await builtFolder(name, SITE_SOURCES, (out) => build(root, out), hash)
  } catch (cause) {
    const text = `${root} does not build: ${cause instanceof Error ? cause.message : String(cause)}`
    if (warn === undefined) throw new Error(text, { cause })
    const last = await lastBuiltFolder(name)
    const instead = last === null ? 'It is not served.' : 'Its last build is served.'
    warn(`${text}\n${instead}`)
    return last
  }
}

async function build(root: string, out: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', root, '--mode', 'stack', '--outDir', out, '--emptyOutDir']
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: DEADLINE_MS })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
