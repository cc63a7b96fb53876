import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { freePort } from '../stack/ports.ts'
import type { RunningPart } from '../stack/service.ts'
import {
  aicDeployerKey,
  buyerKeys,
  DEV_MNEMONIC,
  deployerKey,
  facilitatorKey,
  STAFF_COUNT,
  treasuryKey,
} from './accounts.ts'
import { anvilBinary } from './binary.ts'
import { installAic } from './deploy-aic.ts'
import { fundBuyers } from './fund.ts'
import { installMulticall3, MULTICALL3 } from './multicall3.ts'
import { createRpc, type Rpc } from './rpc.ts'
import { adoptUsdc, installUsdc, type UsdcFacts, usdcOf } from './usdc.ts'

export interface ChainOptions {
  port?: number
  /** Default 31337, also on a fork. */
  chainId?: number
  /** Folder in which the chain is kept; without it nothing survives a restart. */
  stateDir?: string
  /** RPC to fork. */
  forkUrl?: string
  /** Number of funded buyers, default 5. */
  buyers?: number
  /** A chain that runs already; no anvil is started, the contracts are put onto it. */
  rpcUrl?: string
  /** The USDC of `rpcUrl`: nothing at all is changed on that chain then. */
  usdcAddress?: Address
}

export interface RunningChain extends RunningPart {
  chainId: number
  usdc: Address
  usdcName: string
  payTo: Address
  /** The AIC token; null on a chain that is not furnished. */
  aic: Address | null
  /** `multicall3`, `aicToken`, `wrappedAic` (AIC with EIP-3009, what payments in AIC are made with), `aicStaking`, `splitter`. */
  contracts: Record<string, Address>
  buyers: { address: Address; privateKey: Hex }[]
}

/** Starts anvil with USDC, Multicall3 and funded buyers on it. Ready when all of them stand. */
export async function startChain(options: ChainOptions): Promise<RunningChain> {
  const anvil = options.rpcUrl === undefined ? await startAnvil(options) : null
  const url = anvil?.url ?? options.rpcUrl ?? ''
  try {
    const furnished = options.usdcAddress === undefined ? await furnish(url, options) : await factsOnly(url, options)
    return { ...furnished, url, close: async () => anvil?.stop() }
  } catch (error) {
    await anvil?.stop()
    throw error
  }
}

type ChainFacts = Omit<RunningChain, 'url' | 'close'>

/** Facts of a chain that is left as it is. The buyers' keys are ours; whether they hold anything is not. */
async function factsOnly(url: string, options: ChainOptions): Promise<ChainFacts> {
  const chainId = Number(await createRpc(url).call('eth_chainId'))
  const buyers = buyerKeys(options.buyers ?? 5).map(({ account, privateKey }) => ({
    address: account.address,
    privateKey,
  }))
  const usdc = options.usdcAddress ?? usdcOf(chainId).address
  return {
    chainId,
    usdc,
    usdcName: usdcOf(chainId).name,
    payTo: treasuryKey().account.address,
    aic: null,
    contracts: {},
    buyers,
  }
}

async function furnish(url: string, options: ChainOptions): Promise<ChainFacts> {
  const rpc = createRpc(url)
  if (options.rpcUrl !== undefined) await takeOver(rpc)
  const deployer = deployerKey().account.address
  const usdc = await usdcOfChain(rpc, options.forkUrl)
  const [code, multicall] = await rpc.batch([
    { method: 'eth_getCode', params: [usdc.address, 'latest'] },
    { method: 'eth_getCode', params: [MULTICALL3, 'latest'] },
  ])
  if (multicall === '0x') await installMulticall3(rpc)
  if (code === '0x') await installUsdc(rpc, usdc, deployer)
  else if (options.forkUrl !== undefined) await adoptUsdc(rpc, usdc, deployer)
  const keys = buyerKeys(options.buyers ?? 5)
  const buyers = keys.map(({ account, privateKey }) => ({ address: account.address, privateKey }))
  const addresses = buyers.map(({ address }) => address)
  const chainId = Number(await rpc.call('eth_chainId'))
  const payTo = treasuryKey().account.address
  const fresh = await fundBuyers(rpc, usdc.address, deployer, addresses)
  const aicOptions = { rpcUrl: url, chainId, deployer: aicDeployerKey().account.address, treasury: payTo }
  const aic = await installAic(rpc, { ...aicOptions, fresh, buyers: addresses })
  const contracts = {
    multicall3: MULTICALL3,
    aicToken: aic.token,
    wrappedAic: aic.wrapped,
    aicStaking: aic.staking,
    splitter: aic.splitter,
  }
  return { chainId, usdc: usdc.address, usdcName: usdc.name, payTo, aic: aic.token, contracts, buyers }
}

/** On a dev chain that somebody else started, our accounts are neither unlocked nor rich. */
async function takeOver(rpc: Rpc): Promise<void> {
  const staff = [deployerKey(), facilitatorKey(), aicDeployerKey()].map(({ account }) => account.address)
  await rpc.batch([
    ...staff.map((address) => ({ method: 'anvil_impersonateAccount', params: [address] })),
    ...staff.map((address) => ({ method: 'anvil_setBalance', params: [address, '0x56bc75e2d63100000'] })),
  ])
}

/** A fork keeps the USDC of the chain that it forks, whatever chain id it goes by. */
async function usdcOfChain(rpc: Rpc, forkUrl: string | undefined): Promise<UsdcFacts> {
  const origin = forkUrl === undefined ? rpc : createRpc(forkUrl)
  return usdcOf(Number(await origin.call('eth_chainId')))
}

async function startAnvil(options: ChainOptions): Promise<{ url: string; stop(): Promise<void> }> {
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
  // The part ends with its chain: whoever watches the part then starts both again.
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
