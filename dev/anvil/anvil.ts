import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../process/ports.ts'
import { DEV_MNEMONIC, STAFF_COUNT } from './accounts.ts'
import type { ChainOptions } from './chain.ts'
import { createRpc } from './rpc.ts'

/** Starts anvil and resolves when it answers. */
export async function startAnvil(options: ChainOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const port = options.port ?? (await freePort())
  const args = ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${options.chainId ?? 31337}`, '--silent']
  args.push('--block-time', '1', '--mixed-mining', '--mnemonic', DEV_MNEMONIC, '--accounts', `${STAFF_COUNT}`)
  if (options.forkUrl !== undefined) args.push('--fork-url', options.forkUrl)
  if (options.stateDir !== undefined) {
    await mkdir(options.stateDir, { recursive: true })
    args.push('--state', join(options.stateDir, 'chain.json'), '--state-interval', '5')
  }
  const child = spawn(anvilBinary(), args, { stdio: ['ignore', 'inherit', 'inherit'] })
  let ended = false
  const end = new Promise<void>((resolve) => {
    child.once('exit', () => {
      ended = true
      resolve()
    })
    child.once('error', () => resolve())
  })
  let stopping = false
  const stop = async (): Promise<void> => {
    stopping = true
    child.kill('SIGTERM')
    await end
  }
  const url = `http://127.0.0.1:${port}`
  await untilAnswering(url, () => ended)
  // This process ends with its chain, and the stack then starts both again.
  child.once('exit', () => {
    if (!stopping) process.exit(1)
  })
  return { url, stop }
}

async function untilAnswering(url: string, ended: () => boolean): Promise<void> {
  const rpc = createRpc(url)
  const deadline = Date.now() + 60_000
  while (!ended()) {
    try {
      await rpc.call('eth_chainId')
      return
    } catch (cause) {
      if (Date.now() > deadline) throw new Error('anvil does not answer', { cause })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  throw new Error('anvil ended at once; its log says why')
}

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/** Path of the native anvil. Its npm wrapper would be one more process to end. */
export function anvilBinary(): string {
  const platform = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const extension = process.platform === 'win32' ? '.exe' : ''
  try {
    return require.resolve(`@foundry-rs/anvil-${platform}/bin/anvil${extension}`)
  } catch (cause) {
    throw new Error(`there is no anvil for ${platform}; set DEV_RPC_URL to a dev chain that you run`, { cause })
  }
}
