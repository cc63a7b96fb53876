import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem'
import * as z from 'zod'
import type { Usdc } from '../../protocol/networks.ts'
import type { RunningService } from '../process/service.ts'
import {
  aicDeployerKey,
  buyerKeys,
  deployerKey,
  facilitatorKey,
  presaleAdminKey,
  treasuryKey,
  vaultOperatorKeys,
} from './accounts.ts'
import { startAnvil } from './anvil.ts'
import { installAic, readLaunchPlan } from './deploy-aic.ts'
import { launchPlanJson } from './presale-plan.ts'
import { createRpc, type Rpc } from './rpc.ts'
import { adoptUsdc, installUsdc, usdcAbi, usdcOnChain } from './usdc.ts'

/** The address of Multicall3 on every public chain. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

export interface ChainOptions {
  port?: number
  /** Default 31337, also on a fork. */
  chainId?: number
  /** Folder that keeps the chain. Without it nothing survives a restart. */
  stateDir?: string
  /** RPC to fork. */
  forkUrl?: string
  /** Number of funded buyers, default 5. */
  buyers?: number
  /** A chain that runs already; no anvil is started, and the contracts are installed on it. */
  rpcUrl?: string
  /** The USDC of `rpcUrl`: when given, that chain is not changed. */
  usdcAddress?: Address
}

export interface RunningChain extends RunningService {
  chainId: number
  usdc: Address
  usdcName: string
  payTo: Address
  /** The AIC token; null on a chain that was not set up here. */
  aic: Address | null
  /** `multicall3`, the eight of the presale (`aicToken` is one), `wrappedAic` (AIC with EIP-3009, for payments), `aicStaking`, `splitter`, `batch` (the facilitator's). */
  contracts: Record<string, Address>
  /** The JSON of the launch plan; null on a chain that was not set up here. */
  launchPlan: string | null
  buyers: { address: Address; privateKey: Hex }[]
}

/** Starts anvil, and installs USDC, Multicall3, the AIC contracts and funded buyers on it. */
export async function startChain(options: ChainOptions): Promise<RunningChain> {
  const anvil = options.rpcUrl === undefined ? await startAnvil(options) : null
  const url = anvil?.url ?? options.rpcUrl ?? ''
  try {
    const setUpChain = options.usdcAddress === undefined ? await setUp(url, options) : await infoOnly(url, options)
    return { ...setUpChain, url, close: async () => anvil?.stop() }
  } catch (error) {
    await anvil?.stop()
    throw error
  }
}

type ChainInfo = Omit<RunningChain, 'url' | 'close'>

/** The info of a chain that is not changed. The buyers' keys are known; their balances may be zero. */
async function infoOnly(url: string, options: ChainOptions): Promise<ChainInfo> {
  const chainId = Number(await createRpc(url).call('eth_chainId'))
  const buyers = buyerKeys(options.buyers ?? 5).map(({ account, privateKey }) => ({
    address: account.address,
    privateKey,
  }))
  const usdc = options.usdcAddress ?? usdcOnChain(chainId).address
  return {
    chainId,
    usdc,
    usdcName: usdcOnChain(chainId).name,
    payTo: treasuryKey().account.address,
    aic: null,
    contracts: {},
    launchPlan: null,
    buyers,
  }
}

async function setUp(url: string, options: ChainOptions): Promise<ChainInfo> {
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
  const aicOptions = {
    rpcUrl: url,
    chainId,
    deployer: aicDeployerKey().account.address,
    treasury: payTo,
    usdc: usdc.address,
  }
  const aic = await installAic(rpc, { ...aicOptions, fresh, buyers: addresses })
  const contracts = {
    multicall3: MULTICALL3,
    ...aic.presale,
    wrappedAic: aic.wrapped,
    aicStaking: aic.staking,
    splitter: aic.splitter,
    batch: aic.batch,
  }
  const launchPlan = launchPlanJson(await readLaunchPlan(rpc, usdc.address, aic.presale.presale))
  return { chainId, usdc: usdc.address, usdcName: usdc.name, payTo, aic: aic.token, contracts, launchPlan, buyers }
}

/** On a dev chain that was started elsewhere, the stack's accounts are locked and have no ETH. */
async function takeOver(rpc: Rpc): Promise<void> {
  const staff = [deployerKey(), facilitatorKey(), aicDeployerKey(), presaleAdminKey(), ...vaultOperatorKeys()].map(
    ({ account }) => account.address,
  )
  await rpc.batch([
    ...staff.map((address) => ({ method: 'anvil_impersonateAccount', params: [address] })),
    ...staff.map((address) => ({ method: 'anvil_setBalance', params: [address, '0x56bc75e2d63100000'] })),
  ])
}

/** A fork keeps the USDC of the chain that it forks, whatever its own chain id is. */
async function usdcOfChain(rpc: Rpc, forkUrl: string | undefined): Promise<Usdc> {
  const origin = forkUrl === undefined ? rpc : createRpc(forkUrl)
  return usdcOnChain(Number(await origin.call('eth_chainId')))
}

const moduleSchema = z.object({ multicall3Bytecode: z.string().startsWith('0x') })

/** Installs Multicall3 at its usual address. viem contains its creation code, though it does not export it. */
export async function installMulticall3(rpc: Rpc): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve('viem/package.json'))
  const module: unknown = await import(pathToFileURL(join(root, '_esm/constants/contracts.js')).href)
  const { multicall3Bytecode } = moduleSchema.parse(module)
  // A call without a target runs the creation code and returns the code that a deployment would install.
  const code = await rpc.call('eth_call', { data: multicall3Bytecode }, 'latest')
  await rpc.call('anvil_setCode', MULTICALL3, code)
}

/** 1,000 USDC in atomic units. */
const BUYER_USDC = 1_000_000_000n
/** 100 ETH in wei: buyers pay gas for staking only. */
const BUYER_ETH = 100n * 10n ** 18n

/** Funds each buyer with ETH and USDC once: an account that already has ETH (a kept chain) is not changed. */
async function fundBuyers(rpc: Rpc, usdc: Address, minter: Address, buyers: readonly Address[]): Promise<Address[]> {
  const balances = await rpc.batch(buyers.map((buyer) => ({ method: 'eth_getBalance', params: [buyer, 'latest'] })))
  const fresh = buyers.filter((_, index) => BigInt(String(balances[index])) === 0n)
  await rpc.batch(
    fresh.map((buyer) => ({ method: 'anvil_setBalance', params: [buyer, `0x${BUYER_ETH.toString(16)}`] })),
  )
  await rpc.transact(
    fresh.map((buyer) => ({
      from: minter,
      to: usdc,
      data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [buyer, BUYER_USDC] }),
      gas: 200_000n,
    })),
  )
  return fresh
}
