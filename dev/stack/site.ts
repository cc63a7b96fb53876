import { execFile } from 'node:child_process'
import { access, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
/** What the sites are built from. */
export const SITE_SOURCES: readonly string[] = [
  'web',
  'client',
  ...['abi', 'checks', 'launch', 'script'].map((name) => `contracts/${name}`),
  'package-lock.json',
]

/** The site, and those that are served below its address. Each is a separate build with the demo wallet. */
const ROOTS = { site: 'web', presale: 'web/landing', dashboard: 'web/dashboard' } as const

type SiteName = keyof typeof ROOTS
/** The folders of the built sites; null for one that this checkout does not have, or that does not build. */
export type SiteFolders = Record<SiteName, string | null>

/**
 * The folders of the sites for the local stack. Those are built now whose sources are newer. A failed build is reported through
 * `warn`, and the API starts anyway.
 */
export async function ensureSites(warn: (text: string) => void): Promise<SiteFolders> {
  const newest = await newestOf(SITE_SOURCES.map((path) => join(ROOT, path)))
  const [site, presale, dashboard] = await Promise.all(
    [ROOTS.site, ROOTS.presale, ROOTS.dashboard].map((root) => ensureSite(root, newest, warn)),
  )
  return { site: site ?? null, presale: presale ?? null, dashboard: dashboard ?? null }
}

async function ensureSite(root: string, newest: number, warn: (text: string) => void): Promise<string | null> {
  const built = join(ROOT, root, 'dist-local')
  if (!(await exists(join(ROOT, root, 'vite.config.ts')))) return null
  if ((await newestOf([join(built, 'index.html')])) >= newest) return built
  await build(root, built).catch((error: unknown) => {
    warn(`${root} does not build: ${error instanceof Error ? error.message : String(error)}`)
  })
  return (await exists(join(built, 'index.html'))) ? built : null
}

/** Builds into another folder and renames it, since another stack may serve the old one. */
async function build(root: string, built: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const partial = join(ROOT, root, `.dist-local-${process.pid}`)
  const args = [vite, 'build', root, '--mode', 'stack', '--outDir', partial, '--emptyOutDir']
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 120_000 })
    await rm(built, { recursive: true, force: true })
    await rename(partial, built)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const isSource = (name: string): boolean => !name.startsWith('.') && !name.startsWith('dist') && name !== 'node_modules'

async function newestOf(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => null)
      if (!stats) return 0
      if (!stats.isDirectory()) return stats.mtimeMs
      return newestOf((await readdir(path)).filter(isSource).map((name) => join(path, name)))
    }),
  )
  return Math.max(0, ...times)
}
