import { parseAmount } from '@coinslot/client/money'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, isAddress, isHex } from 'viem'
import { aicStakingAbi } from '../../../contracts/abi/aic-staking.ts'
import { wrappedAicAbi } from '../../../contracts/abi/wrapped-aic.ts'
import { DEV_CHAIN, devFacts } from './dev-chain.ts'
import { AIC_DECIMALS } from './money.ts'
import { ensureChain } from './wallet/chain.ts'
import type { Provider } from './wallet/provider.ts'
import { type TransactionEnd, waitForTransaction } from './wallet/wait-transaction.ts'

export interface AicContracts {
  staking: Hex
  token: Hex
  /** The wrapped token, which pays for runs. Null if this deployment takes no AIC. */
  wrapped: Hex | null
}

/** A wallet's AIC in atomic units (18 decimals), read from the chain. */
export interface AicFigures {
  plain: bigint
  wrapped: bigint
  staked: bigint
  /** Unstaked, and not ready yet. */
  pending: bigint
  /** When `pending` can be withdrawn. Null if nothing is pending. */
  readyAt: Date | null
  withdrawable: bigint
}

/** The contracts of this deployment. Null if none are configured; AIC is then not shown. */
export async function aicContracts(): Promise<AicContracts | null> {
  const env = import.meta.env
  const named = DEV_CHAIN
    ? await devFacts().then(({ contracts }) => [
        contracts['aicStaking'],
        contracts['aicToken'],
        contracts['wrappedAic'],
      ])
    : [
        env['NEXT_PUBLIC_AIC_STAKING_ADDRESS'],
        env['NEXT_PUBLIC_AIC_TOKEN_ADDRESS'],
        env['NEXT_PUBLIC_AIC_PAYMENT_TOKEN_ADDRESS'],
      ]
  const [staking, token, wrapped] = named.map((value) => (typeof value === 'string' && isAddress(value) ? value : null))
  return staking && token ? { staking, token, wrapped: wrapped ?? null } : null
}

/** Reads a wallet's AIC through its own node, which must be on the contracts' chain. */
export async function readFigures(provider: Provider, contracts: AicContracts, owner: Hex): Promise<AicFigures> {
  const read = async (to: Hex, data: Hex): Promise<Hex> => {
    const answer = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
    if (!isHex(answer)) throw new Error('not an answer of a contract')
    return answer
  }
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const ask = (functionName: 'stakedBalance' | 'pendingWithdrawal' | 'withdrawable'): Promise<Hex> =>
    read(contracts.staking, encodeFunctionData({ abi: aicStakingAbi, functionName, args: [owner] }))
  const [plain, wrapped, staked, waiting, free] = await Promise.all([
    read(contracts.token, balanceOf),
    contracts.wrapped === null ? ('0x0' as const) : read(contracts.wrapped, balanceOf),
    ask('stakedBalance'),
    ask('pendingWithdrawal'),
    ask('withdrawable'),
  ])
  const [pending, releaseTime] = decodeFunctionResult({
    abi: aicStakingAbi,
    functionName: 'pendingWithdrawal',
    data: waiting,
  })
  return {
    plain: BigInt(plain),
    wrapped: BigInt(wrapped),
    staked: BigInt(staked),
    pending,
    readyAt: pending === 0n ? null : new Date(Number(releaseTime) * 1000),
    withdrawable: BigInt(free),
  }
}

/** An amount of AIC above zero in atomic units, or null. A comma is refused: people write `1,5` and `1,500`. */
export function readAicAmount(written: string): bigint | null {
  try {
    const value = parseAmount(written.trim(), AIC_DECIMALS)
    return value > 0n ? value : null
  } catch {
    return null
  }
}

export type AicStep = 'approve' | 'send' | 'wait'
export type AicEnd = TransactionEnd | 'wrong_chain'
export type AicAction = 'stake' | 'unstake' | 'withdraw' | 'wrap' | 'unwrap'

/** What every call needs. */
export interface AicCall {
  provider: Provider
  address: Hex
  chainId: number
  contracts: AicContracts
  onStep(step: AicStep): void
}

/** Does one action. If the allowance is too small, it first approves exactly that amount. Throws the wallet's error. */
export async function moveAic(call: AicCall, action: AicAction, amount: bigint): Promise<AicEnd> {
  if ((await ensureChain(call.provider, call.chainId)) !== 'ready') return 'wrong_chain'
  const { to, data, needsApproval } = callOf(call, action, amount)
  if (needsApproval && (await readAllowance(call, to)) < amount) {
    call.onStep('approve')
    const approval = { abi: erc20Abi, functionName: 'approve', args: [to, amount] } as const
    const end = await transact(call, call.contracts.token, encodeFunctionData(approval))
    if (end !== 'done') return end
  }
  call.onStep('send')
  return transact(call, to, data, () => call.onStep('wait'))
}

function callOf({ contracts, address }: AicCall, action: AicAction, amount: bigint) {
  const { staking, wrapped } = contracts
  if (action === 'wrap' || action === 'unwrap') {
    if (wrapped === null) throw new Error('this deployment has no wrapped AIC')
    const functionName = action === 'wrap' ? 'depositFor' : 'withdrawTo'
    const data = encodeFunctionData({ abi: wrappedAicAbi, functionName, args: [address, amount] })
    return { to: wrapped, data, needsApproval: action === 'wrap' }
  }
  const data =
    action === 'withdraw'
      ? encodeFunctionData({ abi: aicStakingAbi, functionName: 'withdraw' })
      : encodeFunctionData({ abi: aicStakingAbi, functionName: action, args: [amount] })
  return { to: staking, data, needsApproval: action === 'stake' }
}

async function readAllowance({ provider, address, contracts }: AicCall, spender: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [address, spender] })
  return BigInt(
    String(await provider.request({ method: 'eth_call', params: [{ to: contracts.token, data }, 'latest'] })),
  )
}

async function transact({ provider, address }: AicCall, to: Hex, data: Hex, onSent?: () => void): Promise<AicEnd> {
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from: address, to, data }] })
  onSent?.()
  return waitForTransaction(provider, { hash, from: address })
}
