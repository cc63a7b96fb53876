import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { assertSource, builtFolder, ROOT, type Sources } from '../process/built-folder.ts'

/** The bundle that wrangler would deploy, and the settings that workerd needs to run it. */
export interface Bundle {
  /** Folder of the modules; `index.js` is the entry. */
  dir: string
  modules: string[]
  compatibilityDate: string
  compatibilityFlags: string[]
}

/** Bundles the worker with `wrangler deploy --dry-run`. Unchanged sources are not bundled again. */
export const bundleWorker = (): Promise<Bundle> => bundle('wrangler.toml', ['worker', 'db', 'protocol'])

/** The same for the MCP server over HTTP, which is a worker too. */
export const bundleMcp = (): Promise<Bundle> =>
  bundle('worker/mcp/wrangler.toml', [
    'worker/mcp',
    'client/mcp',
    'client/src',
    'client/node',
    'worker/lib',
    'protocol',
  ])

async function bundle(config: string, folders: readonly string[]): Promise<Bundle> {
  const toml = await readFile(join(ROOT, config), 'utf8')
  const sources = { files: [config, 'tsconfig.worker.json', 'dev/worker/bundle.ts'], folders }
  const dir = await builtFolder('worker', sources, async (out) => {
    await wrangler(config, out)
    await checkSources(out, sources)
  })
  const modules = (await readdir(dir)).filter((name) => /\.(js|mjs|wasm|txt|html|bin)$/.test(name))
  return { dir, modules, ...compatibilityOf(toml) }
}

async function wrangler(config: string, out: string): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'wrangler-dist/cli.js')
  const args = [cli, 'deploy', '--dry-run', '--minify', '--env=', '--config', config, '--outdir', out]
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, timeout: DEADLINE_MS })
  } catch (error) {
    throw bundleFault(config, error)
  }
}

/** A guard against a bundler that hangs: a slow or busy machine may need minutes. */
const DEADLINE_MS = 600_000

/** How `execFile` describes a program that failed. */
const ended = z.object({ stderr: z.string().catch(''), stdout: z.string().catch(''), killed: z.boolean().catch(false) })

/** Says whether the bundler failed, or was ended because it took too long. */
export function bundleFault(config: string, cause: unknown): Error {
  const { stderr, stdout, killed } = ended.parse(cause)
  const why = killed
    ? `was not bundled within ${DEADLINE_MS / 60_000} minutes: the machine may be busy. Try again.`
    : 'cannot be bundled:'
  return new Error(`${config} ${why}\n${stdout}${stderr}`.trim(), { cause })
}

const sourceMap = z.object({ sources: z.array(z.string()) })

/** Throws if a bundle holds a file of this repository whose change would not bundle again. */
async function checkSources(out: string, sources: Sources): Promise<void> {
  const map = sourceMap.parse(JSON.parse(await readFile(join(out, 'index.js.map'), 'utf8')))
  for (const source of map.sources) assertSource(resolve(out, source), sources)
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
