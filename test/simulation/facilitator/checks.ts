import type { SettleAnswer } from '../../../facilitator/settle/settle-answers.ts'
import type { Callers } from './callers.ts'
import { type Payment, VALUE } from './payments.ts'
import type { TokenChain } from './token-chain.ts'

const UNCLEAR = /pending|duplicate|nonce_already_used/

/** What the checks read, and where they report. */
export interface Facts {
  chain: TokenChain
  callers: Callers
  /** Payments whose payer or a stranger used the authorization on the chain. */
  foreign: ReadonlySet<Payment>
  fail(payment: Payment, what: string): void
}

/** What an answer says must be true when its caller receives it. */
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

/** Whether the last answer that this payment's caller has is final. */
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

/** What must be true of a payment when its caller has come back until it has a final answer. */
export function checkEnd(facts: Facts, payment: Payment): void {
  const { chain, callers, foreign, fail } = facts
  const answers = callers.heardBy(payment).map(({ answer }) => answer)
  const isTold = answers.some(({ success }) => success)
  const paidBy = chain.paidBy(payment.nonce)
  const isPaid = paidBy !== null && paidBy !== '0x'
  const isGood = !foreign.has(payment) && chain.balanceOf(payment.payer) >= VALUE
  if (!hasAnswer(facts, payment)) fail(payment, 'never got an answer')
  else if (isPaid && !isTold) fail(payment, 'is paid, and its caller never hears of it')
  else if (!isPaid && isTold && chain.reorganizations() === 0) fail(payment, 'was answered as settled, and is not paid')
  else if (!isPaid && isGood) fail(payment, 'could be paid, and never was')
}
