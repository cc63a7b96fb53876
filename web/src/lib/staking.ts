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

/** What is on its way out of a stake; amounts in AIC's atomic units (18 decimals). */
export interface Leaving {
  pending: bigint
  /** When `pending` can be withdrawn; null where nothing waits. */
  readyAt: Date | null
  withdrawable: bigint
}

/** The contracts this deployment names, or null: staking is then not shown. */
export async function stakingContracts(): Promise<StakingContracts | null> {
  const env = import.meta.env
  const named = DEV_CHAIN
    ? await devFacts().then(({ contracts }) => [contracts['aicStaking'], contracts['aicToken']])
    : [env['NEXT_PUBLIC_AIC_STAKING_ADDRESS'], env['NEXT_PUBLIC_AIC_TOKEN_ADDRESS']]
  const [staking, token] = named
  if (typeof staking !== 'string' || typeof token !== 'string' || !isAddress(staking) || !isAddress(token)) return null
  return { staking, token }
}

/** Reads what is leaving the stake, through the wallet's node; it must stand on the contracts' chain. */
export async function readLeaving(provider: Provider, { staking }: StakingContracts, owner: Hex): Promise<Leaving> {
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

/** What a staking call ended as. */
export type StakeEnd = 'done' | 'reverted' | 'wrong_chain'

/** Stakes, after allowing exactly the amount where the allowance is smaller. Throws what the wallet says. */
export async function stake(
  provider: Provider,
  chainId: number,
  { staking, token }: StakingContracts,
  owner: Hex,
  amount: bigint,
  onStep: (step: StakeStep) => void,
): Promise<StakeEnd> {
  if ((await ensureChain(provider, chainId)) !== 'ready') return 'wrong_chain'
  const abi = erc20Abi
  const asked = encodeFunctionData({ abi, functionName: 'allowance', args: [owner, staking] })
  const allowed = decodeFunctionResult({ abi, functionName: 'allowance', data: await read(provider, token, asked) })
  if (allowed < amount) {
    onStep('approve')
    const approval = encodeFunctionData({ abi, functionName: 'approve', args: [staking, amount] })
    if (!(await transact(provider, owner, token, approval))) return 'reverted'
  }
  onStep('send')
  const data = encodeFunctionData({ abi: aicStakingAbi, functionName: 'stake', args: [amount] })
  return (await transact(provider, owner, staking, data, () => onStep('wait'))) ? 'done' : 'reverted'
}

/** Takes an amount out of the stake, or (`null`) withdraws what has waited long enough. Throws what the wallet says. */
export async function leave(
  provider: Provider,
  chainId: number,
  { staking }: StakingContracts,
  owner: Hex,
  amount: bigint | null,
  onStep: (step: StakeStep) => void,
): Promise<StakeEnd> {
  if ((await ensureChain(provider, chainId)) !== 'ready') return 'wrong_chain'
  onStep('send')
  const abi = aicStakingAbi
  const data =
    amount === null
      ? encodeFunctionData({ abi, functionName: 'withdraw' })
      : encodeFunctionData({ abi, functionName: 'unstake', args: [amount] })
  return (await transact(provider, owner, staking, data, () => onStep('wait'))) ? 'done' : 'reverted'
}

async function read(provider: Provider, to: Hex, data: Hex): Promise<Hex> {
  const answer = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
  if (!isHex(answer)) throw new Error('not an answer of a contract')
  return answer
}

const RECEIPT_POLL_MS = 1000

/** Sends a transaction and waits for its receipt; false where it reverted. */
async function transact(provider: Provider, from: Hex, to: Hex, data: Hex, onSent?: () => void): Promise<boolean> {
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, data }] })
  onSent?.()
  for (;;) {
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (isFields(receipt)) return maybeStr(receipt, 'status') === '0x1'
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS))
  }
}
