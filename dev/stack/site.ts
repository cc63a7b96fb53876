import { execFile } from 'node:child_process'
import { access, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const WEB = join(ROOT, 'web')
/** The build with the demo wallet. The one for Pages is `web/dist`. */
const BUILT = join(WEB, 'dist-local')

/**
 * The folder of the site for the local stack. It is built now if its sources are newer. Null if this checkout has no site.
 * A failed build is reported through `warn`, and the API starts anyway.
 */
export async function ensureSite(warn: (text: string) => void): Promise<string | null> {
  if (!(await exists(join(WEB, 'vite.config.ts')))) return null
  const built = await newestOf([join(BUILT, 'index.html')])
  if (built >= (await newestOf([WEB, join(ROOT, 'package-lock.json')]))) return BUILT
  await build().catch((error: unknown) => {
    warn(`the site does not build: ${error instanceof Error ? error.message : String(error)}`)
  })
  return (await exists(join(BUILT, 'index.html'))) ? BUILT : null
}

/** Builds into another folder and renames it, since another stack may serve the old one. */
async function build(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const partial = join(WEB, `.dist-local-${process.pid}`)
  const args = [vite, 'build', 'web', '--mode', 'stack', '--outDir', partial, '--emptyOutDir']
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: 120_000 })
    await rm(BUILT, { recursive: true, force: true })
    await rename(partial, BUILT)
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
