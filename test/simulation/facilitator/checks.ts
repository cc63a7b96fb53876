import type { Hex } from 'viem'
import type { SettleAnswer } from '../../../facilitator/settle/settle-answers.ts'
import type { SettlementStore } from '../../../facilitator/store/store.ts'
import type { Callers } from './callers.ts'
import { NETWORK, type Payment, VALUE } from './payments.ts'
import type { TokenChain } from './token-chain.ts'

const UNCLEAR = /pending|duplicate|nonce_already_used/

/** The state that the checks read, and where they report. */
export interface Facts {
  chain: TokenChain
  callers: Callers
  /** Payments whose payer or a stranger used the authorization on the chain. */
  foreign: ReadonlySet<Payment>
  /** Payers that delegated to code. */
  delegators: ReadonlySet<Hex>
  fail(payment: Payment, what: string): void
}

/** An answer must be true when its caller receives it. */
export function checkAnswer(
  { chain, fail }: Pick<Facts, 'chain' | 'fail'>,
  payment: Payment,
  { success, transaction, errorReason = '' }: SettleAnswer,
): void {
  const paidBy = chain.paidBy(payment.nonce)
  if (chain.reorganizations() > 0) return
  if (success && paidBy !== transaction)
    fail(payment, `was answered as settled by ${transaction}, and is paid by ${paidBy}`)
  if (success || UNCLEAR.test(errorReason)) return
  if (paidBy !== null && paidBy !== '0x') fail(payment, `is refused (${errorReason}) and is paid`)
  if (chain.waiting(payment.nonce).length > 0) fail(payment, `is refused (${errorReason}) and waits for a block`)
}

/** No two transactions with one authorization wait for a block. */
export function checkSentOnce({ chain, fail }: Facts, payments: readonly Payment[]): void {
  for (const payment of payments) {
    if (chain.waiting(payment.nonce).length > 1 && chain.reorganizations() === 0) fail(payment, 'is sent twice')
  }
}

/** A payer's code costs no other payment its gas, and no payment is sent again after its payer's code failed it. */
export function checkDelegations({ chain, fail }: Facts, payments: readonly Payment[]): void {
  for (const payment of payments) {
    if (chain.countOfResult(payment.nonce, 'starved') > 0) fail(payment, 'failed by the code of another payer')
    const isAgain = chain.countOfResult(payment.nonce, 'code') > 1 && chain.reorganizations() === 0
    if (isAgain) fail(payment, 'was sent again after the code of its payer failed it')
  }
}

const EXHAUSTED = 'gas_budget_exhausted'

/** True if another payment of its payer was answered as settled. */
const isKnown = ({ callers }: Facts, { payer }: Payment): boolean =>
  callers
    .brought()
    .some((other) => other.payer === payer && callers.heardBy(other).some(({ answer }) => answer.success))

/** The network's losses refuse no payer that has paid. */
export function checkKnown(facts: Facts, payment: Payment, { errorReason }: SettleAnswer): void {
  const isHonest = !facts.delegators.has(payment.payer)
  if (isHonest && errorReason === EXHAUSTED && isKnown(facts, payment)) {
    facts.fail(payment, 'is refused for what the network lost, though its payer has paid')
  }
}

/** Only payers that had code are charged for what failed in a batch. */
export async function checkCharged(facts: Facts, store: SettlementStore, payments: readonly Payment[]): Promise<void> {
  const histories = await store.histories(
    NETWORK,
    payments.map(({ payer }) => ({ payer, key: '' })),
    new Date(0),
  )
  for (const [index, payment] of payments.entries()) {
    const isCharged = (histories[index]?.payerRevertedAt ?? null) !== null
    if (isCharged && !facts.delegators.has(payment.payer))
      facts.fail(payment, 'is charged, and its payer never had code')
  }
}

/** True if the last answer that this payment's caller has is final. */
export function hasAnswer({ callers }: Facts, payment: Payment): boolean {
  const last = callers.lastAnswer(payment)
  return last !== null && !/pending|duplicate/.test(last.answer.errorReason ?? '')
}

/** Without another call a refused payment is never paid. */
export function checkRefused({ chain, callers, fail }: Facts): void {
  for (const payment of callers.brought()) {
    const last = callers.lastAnswer(payment)
    const isRefused = last !== null && !last.answer.success && !UNCLEAR.test(last.answer.errorReason ?? '')
    const paidBy = chain.paidBy(payment.nonce)
    if (!isRefused || !last.isOnly || paidBy === null || paidBy === '0x') continue
    const wasSettled = callers.heardBy(payment).some(({ answer }) => answer.success)
    if (chain.reorganizations() === 0 && !wasSettled) fail(payment, 'was refused, and is paid without another call')
  }
}

/** The promises of a payment when its caller has come back until it has a final answer. */
export function checkEnd(facts: Facts, payment: Payment): void {
  const { chain, callers, foreign, delegators, fail } = facts
  const answers = callers.heardBy(payment).map(({ answer }) => answer)
  const isTold = answers.some(({ success }) => success)
  const paidBy = chain.paidBy(payment.nonce)
  const isPaid = paidBy !== null && paidBy !== '0x'
  const isRefusedAsNew = callers.lastAnswer(payment)?.answer.errorReason === EXHAUSTED
  const isHonest = !foreign.has(payment) && !delegators.has(payment.payer)
  const isGood = isHonest && !isRefusedAsNew && chain.balanceOf(payment.payer) >= VALUE
  if (!hasAnswer(facts, payment)) fail(payment, 'never got an answer')
  else if (isPaid && !isTold) fail(payment, 'is paid, and its caller never hears of it')
  else if (!isPaid && isTold && chain.reorganizations() === 0) fail(payment, 'was answered as settled, and is not paid')
  else if (!isPaid && isGood) fail(payment, 'could be paid, and never was')
}
