import { spawnSync } from 'node:child_process'
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { UsageError } from '../../client/node/errors.ts'
import { DEV_CHAIN_ID } from '../../protocol/networks.ts'
import { loadConfig } from '../../worker/config/env.ts'
import { isLoopback } from '../../worker/config/schemas.ts'
import { ROOT } from '../process/built-folder.ts'
import { devVarsBlock, joinDevVars, splitDevVars } from './dev-vars-block.ts'

/** The port of `wrangler dev`, unless `wrangler.toml` says another. */
const WRANGLER_PORT = 8787

/** The `.dev.vars` of a checkout, for a plain `wrangler dev` beside the stack. */
export interface DevVars {
  /** The port that `wrangler dev` takes. */
  port: number
  /**
   * Adds the stack's lines, or replaces those of an earlier start. Returns the names of the person's variables whose values do not
   * count meanwhile. Throws `UsageError`, and writes nothing, if the worker would not settle on the stack's own chain.
   */
  write(env: Readonly<Record<string, string>>): Promise<string[]>
  /** Takes the written lines away again, and the file if nothing else is in it. Lines of another start stay. */
  remove(): Promise<void>
}

/**
 * Looks at the `.dev.vars` in `root` and writes nothing. Throws `UsageError` if git would track it, if it is not a plain file, or
 * if it belongs to another chain.
 */
export async function openDevVars(root = ROOT): Promise<DevVars> {
  const file = join(root, '.dev.vars')
  const port = await wranglerPort(root)
  let written: string | null = null
  refuseTracked(root)
  refuseOtherChain(parseEnv(splitDevVars(await readPlain(file)).own))
  return {
    port,
    async write(env) {
      const { own } = splitDevVars(await readPlain(file))
      const owned = parseEnv(own)
      refuseOtherChain(owned)
      const local = { ...env, PUBLIC_ORIGIN: `http://localhost:${port},http://127.0.0.1:${port}` }
      const block = devVarsBlock(local, owned)
      const text = joinDevVars(own, block)
      refuseForeignConfig(parseEnv(text))
      await replace(root, file, text)
      written = block
      return Object.keys(owned).filter((name) => owned[name] !== parseEnv(text)[name])
    },
    async remove() {
      if (written === null) return
      const { own, block } = splitDevVars(await readPlain(file))
      if (block !== written) return
      if (own === '') await rm(file)
      else await replace(root, file, own)
    },
  }
}

async function wranglerPort(root: string): Promise<number> {
  // Wrangler takes a second to load.
  const { unstable_readConfig } = await import('wrangler')
  return unstable_readConfig({ config: join(root, 'wrangler.toml') }, { hideWarnings: true }).dev.port ?? WRANGLER_PORT
}

/** Empty if there is no file. */
async function readPlain(file: string): Promise<string> {
  const found = await lstat(file).catch(() => null)
  if (found === null) return ''
  if (!found.isFile()) throw new UsageError('.dev.vars is a link or a folder: secrets are written to a plain file only')
  return readFile(file, 'utf8')
}

/** Git says 0 for an ignored file, 1 for one that it tracks or would take, and more where there is no repository. */
function refuseTracked(root: string): void {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '.dev.vars'], { cwd: root })
  if (status === 1) {
    throw new UsageError(
      'git does not ignore .dev.vars, and secrets must not be committed: restore its line in .gitignore, and `git rm --cached .dev.vars` if it is tracked',
    )
  }
}

/** A person's settings for another chain stay alone: a mixture of both would be neither. */
function refuseOtherChain(own: Readonly<Record<string, string | undefined>>): void {
  const network = `eip155:${DEV_CHAIN_ID}`
  const { ENVIRONMENT: environment = 'development', PAYMENT_NETWORKS: networks = network } = own
  if (environment !== 'development' || networks !== network) {
    throw new UsageError(
      `.dev.vars is for ENVIRONMENT=${environment} on ${networks}, not for the local chain: move it elsewhere first`,
    )
  }
}

/** Throws unless the worker accepts these variables and settles on the local chain alone. Throws `ConfigError` with every fault. */
function refuseForeignConfig(env: Readonly<Record<string, string | undefined>>): void {
  const foreign = loadConfig(env).networks.filter(
    ({ chainId, rpcUrl }) => chainId !== DEV_CHAIN_ID || !isLoopback(rpcUrl),
  )
  if (foreign.length > 0) {
    const names = foreign.map(({ network, rpcUrl }) => `${network} at ${new URL(rpcUrl).host}`)
    throw new UsageError(`--write-dev-vars is for the local chain only, not for ${names.join(', ')}`)
  }
}

/** Replaces the file at once, so that no crash loses a person's lines. A new file can be read by its owner only. */
async function replace(root: string, file: string, text: string): Promise<void> {
  const mode = (await lstat(file).catch(() => null))?.mode ?? 0o600
  // A folder that git ignores.
  const draft = join(root, '.coinslot', `dev-vars.${process.pid}`)
  await mkdir(join(root, '.coinslot'), { recursive: true })
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: mode & 0o777 })
  await rename(draft, file)
}
