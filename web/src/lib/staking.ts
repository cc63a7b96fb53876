import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, isAddress, isHex } from 'viem'
import { aicStakingAbi } from '../../../contracts/abi/aic-staking.ts'
import { DEV_CHAIN, devFacts } from './dev-chain.ts'
import { isFields, maybeStr } from './shape.ts'
import { ensureChain } from './wallet/chain.ts'
import type { Provider } from './wallet/provider.ts'

export interface StakingContracts {
  staking: Hex
  token: Hex
}

/** Unstaked AIC, in atomic units (18 decimals). */
export interface Unstaking {
  pending: bigint
  /** When `pending` can be withdrawn. Null if nothing is pending. */
  readyAt: Date | null
  withdrawable: bigint
}

/** The contracts of this deployment. Null if none are configured; staking is then not shown. */
export async function stakingContracts(): Promise<StakingContracts | null> {
  const env = import.meta.env
  const named = DEV_CHAIN
    ? await devFacts().then(({ contracts }) => [contracts['aicStaking'], contracts['aicToken']])
    : [env['NEXT_PUBLIC_AIC_STAKING_ADDRESS'], env['NEXT_PUBLIC_AIC_TOKEN_ADDRESS']]
  const [staking, token] = named
  if (typeof staking !== 'string' || typeof token !== 'string' || !isAddress(staking) || !isAddress(token)) return null
  return { staking, token }
}

/** Reads the unstaked amounts through the wallet's node, which must be on the contracts' chain. */
export async function readUnstaking(provider: Provider, { staking }: StakingContracts, owner: Hex): Promise<Unstaking> {
  const abi = aicStakingAbi
  const [waiting, free] = await Promise.all([
    read(provider, staking, encodeFunctionData({ abi, functionName: 'pendingWithdrawal', args: [owner] })),
    read(provider, staking, encodeFunctionData({ abi, functionName: 'withdrawable', args: [owner] })),
  ])
  const [pending, releaseTime] = decodeFunctionResult({ abi, functionName: 'pendingWithdrawal', data: waiting })
  return {
    pending,
    readyAt: pending === 0n ? null : new Date(Number(releaseTime) * 1000),
    withdrawable: decodeFunctionResult({ abi, functionName: 'withdrawable', data: free }),
  }
}

export type StakeStep = 'approve' | 'send' | 'wait'

/** How a staking call ended. */
export type StakeEnd = 'done' | 'reverted' | 'wrong_chain'

/** What every staking call needs. */
export interface StakeCall {
  provider: Provider
  address: Hex
  chainId: number
  contracts: StakingContracts
  onStep(step: StakeStep): void
}

/** Stakes an amount. If the allowance is smaller, it first approves exactly that amount. Throws the wallet's error. */
export async function stake(call: StakeCall, amount: bigint): Promise<StakeEnd> {
  const { provider, address, contracts } = call
  if ((await ensureChain(provider, call.chainId)) !== 'ready') return 'wrong_chain'
  if ((await readAllowance(call)) < amount) {
    call.onStep('approve')
    const approval = { abi: erc20Abi, functionName: 'approve', args: [contracts.staking, amount] } as const
    if (!(await transact(provider, address, contracts.token, encodeFunctionData(approval)))) return 'reverted'
  }
  return send(call, encodeFunctionData({ abi: aicStakingAbi, functionName: 'stake', args: [amount] }))
}

/** Unstakes an amount. It can be withdrawn after a wait. Throws the wallet's error. */
export async function unstake(call: StakeCall, amount: bigint): Promise<StakeEnd> {
  if ((await ensureChain(call.provider, call.chainId)) !== 'ready') return 'wrong_chain'
  return send(call, encodeFunctionData({ abi: aicStakingAbi, functionName: 'unstake', args: [amount] }))
}

/** Withdraws what has been unstaked for long enough. Throws the wallet's error. */
export async function withdraw(call: StakeCall): Promise<StakeEnd> {
  if ((await ensureChain(call.provider, call.chainId)) !== 'ready') return 'wrong_chain'
  return send(call, encodeFunctionData({ abi: aicStakingAbi, functionName: 'withdraw' }))
}

async function readAllowance({ provider, address, contracts }: StakeCall): Promise<bigint> {
  const allowance = { abi: erc20Abi, functionName: 'allowance', args: [address, contracts.staking] } as const
  const data = await read(provider, contracts.token, encodeFunctionData(allowance))
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'allowance', data })
}

/** Sends a call to the staking contract. */
async function send({ provider, address, contracts, onStep }: StakeCall, data: Hex): Promise<StakeEnd> {
  onStep('send')
  return (await transact(provider, address, contracts.staking, data, () => onStep('wait'))) ? 'done' : 'reverted'
}

async function read(provider: Provider, to: Hex, data: Hex): Promise<Hex> {
  const answer = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
  if (!isHex(answer)) throw new Error('not an answer of a contract')
  return answer
}

const RECEIPT_POLL_MS = 1000

/** Sends a transaction and waits for its receipt. False if it reverted. */
async function transact(provider: Provider, from: Hex, to: Hex, data: Hex, onSent?: () => void): Promise<boolean> {
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, data }] })
  onSent?.()
  for (;;) {
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (isFields(receipt)) return maybeStr(receipt, 'status') === '0x1'
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS))
  }
}
