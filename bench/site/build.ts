import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the site as it is shipped. */
export async function buildSite(outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', 'web', '--outDir', outDir, '--emptyOutDir']
  // A test runner's NODE_ENV would bring the development build of the framework.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, timeout: 120_000 })
}
