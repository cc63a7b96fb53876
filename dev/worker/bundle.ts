import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/worker')
const DAY_MS = 86_400_000

/** The bundle that wrangler would deploy, and the settings that workerd needs to run it. */
export interface Bundle {
  /** Folder of the modules; `index.js` is the entry. */
  dir: string
  modules: string[]
  compatibilityDate: string
  compatibilityFlags: string[]
}

/** What a bundle is made of, from the root of the repository. */
interface Sources {
  config: string
  folders: readonly string[]
}

/** Bundles the worker with `wrangler deploy --dry-run`. Unchanged sources are not bundled again. */
export const bundleWorker = (): Promise<Bundle> => bundle({ config: 'wrangler.toml', folders: ['worker', 'db'] })

/** The same for the MCP server over HTTP, which is a worker too. */
export const bundleMcp = (): Promise<Bundle> =>
  bundle({ config: 'mcp/wrangler.toml', folders: ['mcp', 'client/mcp', 'client/src', 'client/node'] })

async function bundle(sources: Sources): Promise<Bundle> {
  const toml = await readFile(join(ROOT, sources.config), 'utf8')
  const dir = join(CACHE, await sourceHash(sources))
  if (!(await readdir(dir).catch(() => null))) await wrangler(sources.config, dir)
  await utimes(dir, new Date(), new Date())
  const modules = (await readdir(dir)).filter((name) => /\.(js|mjs|wasm|txt|html|bin)$/.test(name))
  return { dir, modules, ...compatibilityOf(toml) }
}

async function wrangler(config: string, dir: string): Promise<void> {
  const partial = `${dir}.${process.pid}`
  await mkdir(CACHE, { recursive: true })
  const cli = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'wrangler-dist/cli.js')
  const args = [cli, 'deploy', '--dry-run', '--minify', '--env=', '--config', config, '--outdir', partial]
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, timeout: 120_000 })
  } catch (error) {
    const { stderr = '', stdout = '' } = error instanceof Error ? { stderr: '', stdout: '', ...error } : {}
    throw new Error(`${config} cannot be bundled:\n${stdout}${stderr}`.trim(), { cause: error })
  }
  // A rename is atomic: another stack sees the whole bundle or nothing. If it was faster, its bundle is equal.
  await rename(partial, dir).catch(() => rm(partial, { recursive: true, force: true }))
  await dropOldBundles()
}

/** Removes bundles that no stack used for a day. A newer one may be in use: a killed worker reads it again. */
async function dropOldBundles(): Promise<void> {
  for (const name of (await readdir(CACHE)).filter((entry) => /^[0-9a-f]{32}$/.test(entry))) {
    const dir = join(CACHE, name)
    const { mtimeMs } = await stat(dir).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > DAY_MS) await rm(dir, { recursive: true, force: true })
  }
}

async function sourceHash({ config, folders }: Sources): Promise<string> {
  const files = [config, 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json', 'tsconfig.worker.json']
  for (const folder of folders) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
  }
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    if (/\.test\.ts$/.test(file)) continue
    hash.update(file).update(await readFile(join(ROOT, file.replace(ROOT, ''))))
  }
  return hash.digest('hex').slice(0, 32)
}

function compatibilityOf(toml: string): Pick<Bundle, 'compatibilityDate' | 'compatibilityFlags'> {
  const date = /^compatibility_date\s*=\s*"([^"]+)"/m.exec(toml)?.[1]
  if (date === undefined) throw new Error('wrangler.toml names no compatibility_date')
  const flags = /^compatibility_flags\s*=\s*\[([^\]]*)\]/m.exec(toml)?.[1] ?? ''
  return {
    compatibilityDate: date,
    compatibilityFlags: [...flags.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ''),
  }
}
