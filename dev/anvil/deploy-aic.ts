import {
  type Address,
  createClient,
  decodeFunctionResult,
  defineChain,
  getContractAddress,
  type Hex,
  http,
  isHex,
} from 'viem'
import { encodeFunctionData, parseUnits } from 'viem/utils'
import * as z from 'zod'
import { aicStakingAbi } from '../../contracts/abi/aic-staking.ts'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'
import { presaleAbi } from '../../contracts/abi/presale.ts'
import { wrappedAicAbi } from '../../contracts/abi/wrapped-aic.ts'
import type { LaunchPlan } from '../../contracts/checks/launch-plan.ts'
import type { PresaleAddresses } from '../../contracts/checks/runtimes.ts'
import { type AicContracts, deployAic, paymentBatchCreation } from '../../contracts/script/deploy.ts'
import { creationCodes, presaleAddressesOf } from '../../contracts/script/deploy-presale.ts'
import { devLaunchPlan } from './presale-plan.ts'
import type { Rpc, Transaction } from './rpc.ts'

/** Share of each AIC payment that the dev splitter burns. */
export const DEV_BURN_BPS = 2_000
/** A minute instead of a week between unstake and withdraw, so that it can be tried. */
const DEV_COOLDOWN_SECONDS = 60

/** AIC of each of the first buyers, in whole tokens: none, standard tier, premium tier, the highest discount, enough to stake. */
const HOLDINGS = [
  { held: '0', staked: '0', wrapped: '0' },
  { held: '500', staked: '0', wrapped: '100' },
  { held: '500', staked: '5000', wrapped: '100' },
  { held: '5000', staked: '200000', wrapped: '100' },
  { held: '1500', staked: '0', wrapped: '100' },
] as const

const blockSchema = z.object({ timestamp: z.string() })

export interface AicOptions {
  rpcUrl: string
  chainId: number
  /** An account that sends nothing else. Its nonces fix the addresses, so that a kept chain is recognised. */
  deployer: Address
  treasury: Address
  usdc: Address
  /** Buyers that were funded in this start. */
  fresh: readonly Address[]
  buyers: readonly Address[]
}

/** The deployer's first transaction after the eight of the presale. */
const AFTER_PRESALE = 8

export interface DevAic extends AicContracts {
  /** The facilitator's batch contract, for the dev treasury. */
  batch: Address
  presale: PresaleAddresses
}

/** Deploys the presale with AIC, the wrapper, staking, the splitter and the batch contract once, and sends new buyers their AIC. */
export async function installAic(rpc: Rpc, options: AicOptions): Promise<DevAic> {
  const contracts = aicContractsOf(options.deployer)
  const code = await rpc.call('eth_getCode', contracts.splitter, 'latest')
  if (code === '0x') await deploy(rpc, options, contracts)
  await deployBatch(rpc, options, contracts)
  const holder = contracts.presale.marketingVault
  const transactions = await handOut(rpc, contracts, options, holder)
  await rpc.transact(transactions)
  const stakers = new Set(transactions.map(({ from }) => from))
  await rpc.batch([...stakers].map((from) => ({ method: 'anvil_stopImpersonatingAccount', params: [from] })))
  return contracts
}

/** The plan of this chain's launch. Its sale began when it was deployed, which only the chain knows. */
export async function readLaunchPlan(rpc: Rpc, usdc: Address, presale: Address): Promise<LaunchPlan> {
  const data = encodeFunctionData({ abi: presaleAbi, functionName: 'phase', args: [1n] })
  const answer = await rpc.call('eth_call', { to: presale, data }, 'latest')
  if (!isHex(answer)) throw new Error('the presale does not name its first phase')
  const { start } = decodeFunctionResult({ abi: presaleAbi, functionName: 'phase', data: answer })
  return devLaunchPlan(usdc, Number(start))
}

/** The contracts' addresses: the deployer creates the eight of the presale, then the others, in this order. */
export function aicContractsOf(from: Address): DevAic {
  const presale = presaleAddressesOf(from, 0)
  const at = (index: number) => getContractAddress({ from, nonce: BigInt(AFTER_PRESALE + index) })
  return { token: presale.aicToken, wrapped: at(0), staking: at(1), splitter: at(2), batch: at(3), presale }
}

async function deployPresale(rpc: Rpc, { deployer, usdc }: AicOptions, addresses: PresaleAddresses): Promise<void> {
  const [nonce, block] = await rpc.batch([
    { method: 'eth_getTransactionCount', params: [deployer, 'latest'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  if (Number(nonce) !== 0) {
    throw new Error('this chain was set up by an earlier version of the local stack: start with another --state')
  }
  const startsAt = Number(blockSchema.parse(block).timestamp)
  const codes = creationCodes(devLaunchPlan(usdc, startsAt), addresses)
  await rpc.transact(codes.map((data) => ({ from: deployer, data, gas: 8_000_000n })))
}

async function deploy(rpc: Rpc, options: AicOptions, { presale, token }: DevAic): Promise<void> {
  await deployPresale(rpc, options, presale)
  const { rpcUrl, chainId, deployer, treasury } = options
  const chain = defineChain({
    id: chainId,
    name: 'dev chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createClient({
    account: { address: deployer, type: 'json-rpc' },
    chain,
    transport: http(rpcUrl),
    pollingInterval: 20,
  })
  await deployAic(client, { token, treasury, burnBps: DEV_BURN_BPS, cooldownSeconds: DEV_COOLDOWN_SECONDS })
}

/** By itself: a chain that an earlier version kept does not have it yet. */
async function deployBatch(rpc: Rpc, { deployer, treasury, usdc }: AicOptions, { batch, wrapped }: DevAic) {
  if ((await rpc.call('eth_getCode', batch, 'latest')) !== '0x') return
  await rpc.transact([{ from: deployer, data: paymentBatchCreation(treasury, [usdc, wrapped]), gas: 2_000_000n }])
}

/** The AIC of new buyers comes from the vault of the community's AIC, which only its code could spend, and only after the TGE. */
async function handOut(
  rpc: Rpc,
  contracts: AicContracts,
  options: AicOptions,
  holder: Address,
): Promise<Transaction[]> {
  if (options.fresh.length > 0) {
    await rpc.batch([
      { method: 'anvil_impersonateAccount', params: [holder] },
      { method: 'anvil_setBalance', params: [holder, '0xde0b6b3a7640000'] },
    ])
  }
  const transactions: Transaction[] = []
  const send = (from: Address, to: Address, data: Hex): number => transactions.push({ from, to, data, gas: 300_000n })
  const transfer = (to: Address, amount: bigint): Hex =>
    encodeFunctionData({ abi: aicTokenAbi, functionName: 'transfer', args: [to, amount] })
  const approve = (spender: Address, amount: bigint): Hex =>
    encodeFunctionData({ abi: aicTokenAbi, functionName: 'approve', args: [spender, amount] })
  for (const [index, amounts] of HOLDINGS.entries()) {
    const buyer = options.buyers[index]
    if (buyer === undefined || !options.fresh.includes(buyer)) continue
    const [held, staked, wrapped] = [amounts.held, amounts.staked, amounts.wrapped].map((text) => parseUnits(text, 18))
    if (!held || staked === undefined || !wrapped) continue
    send(holder, contracts.token, transfer(buyer, held + staked))
    send(holder, contracts.token, approve(contracts.wrapped, wrapped))
    const deposit = encodeFunctionData({ abi: wrappedAicAbi, functionName: 'depositFor', args: [buyer, wrapped] })
    send(holder, contracts.wrapped, deposit)
    if (staked === 0n) continue
    await rpc.call('anvil_impersonateAccount', buyer)
    send(buyer, contracts.token, approve(contracts.staking, staked))
    const stake = encodeFunctionData({ abi: aicStakingAbi, functionName: 'stake', args: [staked] })
    send(buyer, contracts.staking, stake)
  }
  return transactions
}
