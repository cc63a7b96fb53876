import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Bundle } from '../../dev/worker/bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const BASELINE_CONFIG = join(import.meta.dirname, '../baselines/wrangler.toml')

/** Bundles a baseline's entry as the worker is bundled: wrangler, minified, the same compatibility. */
export async function bundleBaseline(entry: string, outDir: string, ours: Bundle): Promise<Bundle> {
  const { compatibilityDate, compatibilityFlags } = ours
  await dryRun([
    '--minify',
    '--config',
    BASELINE_CONFIG,
    '--compatibility-date',
    compatibilityDate,
    '--outdir',
    outDir,
    entry,
  ])
  const modules = (await readdir(outDir)).filter((name) => name.endsWith('.js'))
  return { dir: outDir, modules, compatibilityDate, compatibilityFlags }
}

/** Bundles the worker again with esbuild's metafile. Returns the path of that file. */
export async function bundleWithMetafile(outDir: string): Promise<string> {
  const metafile = join(outDir, 'meta.json')
  await dryRun(['--minify', '--env=', '--outdir', outDir, '--metafile', metafile])
  return metafile
}

async function dryRun(args: readonly string[]): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'wrangler-dist/cli.js')
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }
  const all = [cli, 'deploy', '--dry-run', ...args]
  await promisify(execFile)(process.execPath, all, { cwd: ROOT, env, timeout: 120_000 })
}

/** Bytes of a bundle, and of the same gzipped as wrangler counts it for the upload. */
export async function bundleBytes({ dir, modules }: Bundle): Promise<{ bytes: number; gzip: number }> {
  const sizes = await Promise.all(modules.map(async (name) => (await stat(join(dir, name))).size))
  const gzips = await Promise.all(modules.map(async (name) => gzipSync(await readFile(join(dir, name))).length))
  const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0)
  return { bytes: sum(sizes), gzip: sum(gzips) }
}
