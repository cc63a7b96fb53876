import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { aicStakingAbi } from '../../../../contracts/abi/aic-staking.ts'
import { wrappedAicAbi } from '../../../../contracts/abi/wrapped-aic.ts'
import { callContract, ensureChain } from '../../../shared/wallet/chain.ts'
import type { Provider } from '../../../shared/wallet/provider.ts'
import {
  type BatchCall,
  type BatchEnd,
  makeSpentCheck,
  sendBatch,
  sendsBatches,
  waitForBatch,
} from '../../../shared/wallet/send-calls.ts'
import { type TransactionEnd, waitForTransaction } from '../../../shared/wallet/wait-transaction.ts'
import type { AicContracts } from './aic.ts'
import { type PermitArgs, signPermit } from './aic-permit.ts'

export type AicStep = 'permit' | 'approve' | 'send' | 'wait'
export type AicEnd = TransactionEnd | BatchEnd | 'wrong_chain'
export type AicAction = 'stake' | 'unstake' | 'withdraw' | 'wrap' | 'unwrap'

/** The context of every call. */
export interface AicCall {
  provider: Provider
  address: Hex
  chainId: number
  contracts: AicContracts
  onStep(step: AicStep): void
}

/** The transaction of an action. `withPermit` is the one that sets its allowance itself, by a signature. */
interface Move {
  to: Hex
  data: Hex
  withPermit?: (permit: PermitArgs) => Hex
}

/**
 * Does one action. If the allowance is too small, a wallet that sends batches approves exactly that amount and acts in one; any other
 * is asked for a permit of that amount; a wallet or a token that cannot do that approves the amount in a transaction first. Throws the
 * wallet's error.
 */
export async function moveAic(call: AicCall, action: AicAction, amount: bigint): Promise<AicEnd> {
  if ((await ensureChain(call.provider, call.chainId)) !== 'ready') return 'wrong_chain'
  const { to, data, withPermit } =
    action === 'wrap' || action === 'unwrap' ? wrapping(call, action, amount) : staking(call, action, amount)
  const send = (bytes: Hex): Promise<AicEnd> => {
    call.onStep('send')
    return transact(call, to, bytes, () => call.onStep('wait'))
  }
  if (withPermit === undefined || (await readAllowance(call, to)) >= amount) return send(data)

  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, amount] })
  const batched = await inOneBatch(call, amount, [
    { to: call.contracts.token, data: approval },
    { to, data },
  ])
  if (batched !== null) return batched

  call.onStep('permit')
  const permit = await signPermit(call, to, amount)
  const permitted = permit === null ? null : withPermit(permit)
  if (permitted !== null && (await succeeds(call, to, permitted))) return send(permitted)

  call.onStep('approve')
  const end = await transact(call, call.contracts.token, approval)
  return end === 'done' ? send(data) : end
}

function wrapping({ contracts, address }: AicCall, action: 'wrap' | 'unwrap', amount: bigint): Move {
  if (contracts.wrapped === null) throw new Error('this deployment has no wrapped AIC')
  const abi = wrappedAicAbi
  const functionName = action === 'wrap' ? 'depositFor' : 'withdrawTo'
  const move: Move = { to: contracts.wrapped, data: encodeFunctionData({ abi, functionName, args: [address, amount] }) }
  if (action === 'unwrap') return move
  const withPermit = (permit: PermitArgs): Hex =>
    encodeFunctionData({ abi, functionName: 'depositWithPermit', args: [amount, ...permit] })
  return { ...move, withPermit }
}

function staking({ contracts }: AicCall, action: 'stake' | 'unstake' | 'withdraw', amount: bigint): Move {
  const [abi, to] = [aicStakingAbi, contracts.staking]
  if (action === 'withdraw') return { to, data: encodeFunctionData({ abi, functionName: action }) }
  const data = encodeFunctionData({ abi, functionName: action, args: [amount] })
  if (action === 'unstake') return { to, data }
  const withPermit = (permit: PermitArgs): Hex =>
    encodeFunctionData({ abi, functionName: 'stakeWithPermit', args: [amount, ...permit] })
  return { to, data, withPermit }
}

async function readAllowance({ provider, address, contracts }: AicCall, spender: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [address, spender] })
  return BigInt(await callContract(provider, { to: contracts.token, data }))
}

/** Sends all calls, which take `amount` of the owner's AIC, with one confirmation. Null if the wallet does not do that. */
async function inOneBatch(call: AicCall, amount: bigint, calls: readonly BatchCall[]): Promise<AicEnd | null> {
  if (!(await sendsBatches(call))) return null
  const isOnChain = await makeSpentCheck(call, call.contracts.token, amount)
  call.onStep('send')
  const id = await sendBatch(call, calls)
  if (id === null) return null
  call.onStep('wait')
  return waitForBatch(call.provider, id, isOnChain)
}

/** True if the chain would accept this transaction now. A contract's wallet signs permits that the token refuses. */
function succeeds({ provider, address }: AicCall, to: Hex, data: Hex): Promise<boolean> {
  return callContract(provider, { from: address, to, data }).then(
    () => true,
    () => false,
  )
}

async function transact({ provider, address }: AicCall, to: Hex, data: Hex, onSent?: () => void): Promise<AicEnd> {
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from: address, to, data }] })
  onSent?.()
  return waitForTransaction(provider, { hash, from: address })
}
