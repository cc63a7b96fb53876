import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { builtFolder, ROOT, type Sources } from '../process/built-folder.ts'

/** What the sites are built from. */
export const SITE_SOURCES: Sources = {
  files: ['dev/stack/site.ts'],
  folders: ['web', 'client', ...['abi', 'checks', 'launch', 'script'].map((name) => `contracts/${name}`)],
}

/** The site, and those that are served below its address. Each is a separate build with the demo wallet. */
const ROOTS = { site: 'web', presale: 'web/landing', dashboard: 'web/dashboard' } as const

type SiteName = keyof typeof ROOTS
/** The folders of the built sites; null for one that this checkout does not have, or that does not build. */
export type SiteFolders = Record<SiteName, string | null>

/**
 * The folders of the sites for the local stack. Those are built now whose sources have changed. A failed build is reported through
 * `warn`, and the API starts anyway.
 */
export async function ensureSites(warn: (text: string) => void): Promise<SiteFolders> {
  const [site, presale, dashboard] = await Promise.all(
    [ROOTS.site, ROOTS.presale, ROOTS.dashboard].map((root) => ensureSite(root, warn)),
  )
  return { site: site ?? null, presale: presale ?? null, dashboard: dashboard ?? null }
}

async function ensureSite(root: string, warn: (text: string) => void): Promise<string | null> {
  if (!(await exists(join(ROOT, root, 'vite.config.ts')))) return null
  return builtFolder(`site-${basename(root)}`, SITE_SOURCES, (out) => build(root, out)).catch((error: unknown) => {
    warn(`${root} does not build: ${error instanceof Error ? error.message : String(error)}`)
    return null
  })
}

async function build(root: string, out: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', root, '--mode', 'stack', '--outDir', out, '--emptyOutDir']
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 120_000 })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
