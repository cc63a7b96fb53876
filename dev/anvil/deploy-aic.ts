import { type Address, createClient, defineChain, getContractAddress, type Hex, http } from 'viem'
import { encodeFunctionData, parseUnits } from 'viem/utils'
import { aicStakingAbi } from '../../contracts/abi/aic-staking.ts'
import { aicTokenAbi } from '../../contracts/abi/aic-token.ts'
import { wrappedAicAbi } from '../../contracts/abi/wrapped-aic.ts'
import { type AicContracts, deployAic } from '../../contracts/script/deploy.ts'
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

export interface AicOptions {
  rpcUrl: string
  chainId: number
  /** An account that sends nothing else. Its nonces fix the addresses, so that a kept chain is recognised. */
  deployer: Address
  treasury: Address
  /** Buyers that were funded in this start. */
  fresh: readonly Address[]
  buyers: readonly Address[]
}

/** Deploys AIC, its wrapper, staking and the splitter once, and sends new buyers their AIC. */
export async function installAic(rpc: Rpc, options: AicOptions): Promise<AicContracts> {
  const contracts = aicContractsOf(options.deployer)
  const code = await rpc.call('eth_getCode', contracts.splitter, 'latest')
  if (code === '0x') await deploy(options)
  const transactions = await handOut(rpc, contracts, options)
  await rpc.transact(transactions)
  const stakers = new Set(transactions.map(({ from }) => from).filter((from) => from !== options.deployer))
  await rpc.batch([...stakers].map((from) => ({ method: 'anvil_stopImpersonatingAccount', params: [from] })))
  return contracts
}

/** The contracts' addresses: the deployer creates them in this order. */
export function aicContractsOf(from: Address): AicContracts {
  const at = (nonce: bigint) => getContractAddress({ from, nonce })
  return { token: at(0n), wrapped: at(1n), staking: at(2n), splitter: at(3n) }
}

async function deploy({ rpcUrl, chainId, deployer, treasury }: AicOptions): Promise<void> {
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
  await deployAic(client, { treasury, burnBps: DEV_BURN_BPS, cooldownSeconds: DEV_COOLDOWN_SECONDS })
}

async function handOut(rpc: Rpc, contracts: AicContracts, options: AicOptions): Promise<Transaction[]> {
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
    send(options.deployer, contracts.token, transfer(buyer, held + staked))
    send(options.deployer, contracts.token, approve(contracts.wrapped, wrapped))
    const deposit = encodeFunctionData({ abi: wrappedAicAbi, functionName: 'depositFor', args: [buyer, wrapped] })
    send(options.deployer, contracts.wrapped, deposit)
    if (staked === 0n) continue
    await rpc.call('anvil_impersonateAccount', buyer)
    send(buyer, contracts.token, approve(contracts.staking, staked))
    const stake = encodeFunctionData({ abi: aicStakingAbi, functionName: 'stake', args: [staked] })
    send(buyer, contracts.staking, stake)
  }
  return transactions
}
