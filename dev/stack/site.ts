import { execFile } from 'node:child_process'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'web/dist-local')

/**
 * The folder of the site built for this stack (with the demo wallet), built now when its sources are newer. Null when this checkout has no site. A site that does not
 * build is said through `warn` and does not keep the API from starting.
 */
export async function ensureSite(warn: (text: string) => void): Promise<string | null> {
  const hasSources = await access(join(ROOT, 'web/vite.config.ts')).then(
    () => true,
    () => false,
  )
  if (!hasSources) return null
  const built = await newestOf([join(DIST, 'index.html')])
  const sources = await newestOf([join(ROOT, 'web'), join(ROOT, 'package-lock.json')])
  if (built >= sources) return DIST
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'build:local'], { cwd: ROOT, timeout: 120_000 })
  } catch (error) {
    warn(`the site does not build: ${error instanceof Error ? error.message : String(error)}`)
  }
  return (await newestOf([join(DIST, 'index.html')])) > 0 ? DIST : null
}

const IGNORED = new Set(['dist', 'dist-local', 'node_modules', 'generated'])

async function newestOf(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => null)
      if (!stats) return 0
      if (!stats.isDirectory()) return stats.mtimeMs
      const names = (await readdir(path)).filter((name) => !IGNORED.has(name))
      return newestOf(names.map((name) => join(path, name)))
    }),
  )
  return Math.max(0, ...times)
}
