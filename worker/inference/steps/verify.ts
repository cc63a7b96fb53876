import type { Payment } from '../../../db/queries/payment-row.ts'
import { AppError } from '../../errors.ts'
import { classifyReason } from '../../payments/reasons.ts'
import { after, type Driver, lookTime, move, rest, type Step } from '../driver.ts'
import { settlementRequest } from './settlement-request.ts'

/** `/settle` may take 30 s; the lease outlasts it, so that nobody else asks the chain while it is under way. */
export const settleLeaseMs = 35_000

/**
 * Asks the facilitator whether the payment is good; beside it the row is marked `settling`, so that the mark costs no time.
 * A no is final; no answer leaves the row `claimed` for the same header to try again.
 */
export async function verify(driver: Driver, payment: Payment): Promise<Step> {
  const { deps } = driver
  const { payload, requirements } = settlementRequest(payment)
  const leaseUntil = after(deps.now(), settleLeaseMs)
  const [outcome, mark] = await Promise.all([
    deps.facilitator.verify(payload, requirements),
    move(driver, payment, 'mark_settling', { leaseUntil, nextAttemptAt: leaseUntil }).catch((error: Error) => error),
  ])
  if (mark instanceof Error) throw mark
  if (mark === null) return rest({ kind: 'in_progress', payment })
  if (outcome.kind === 'unavailable') return unavailable(driver, mark, outcome.detail)
  if (outcome.kind === 'valid') {
    driver.verified = true
    driver.emit({ event: 'verified' })
    return { kind: 'moved', payment: mark }
  }
  // Spent already: perhaps by an earlier try of ours. The chain decides.
  if (classifyReason(outcome.reason) === 'nonce_used') return { kind: 'moved', payment: mark }
  if (await contradictsUs(driver, mark, outcome.reason)) return unavailable(driver, mark, outcome.reason)
  return refuse(driver, mark, outcome.reason, { dropInput: true })
}

/** A "bad signature" that we ourselves recovered to a payer without code is an RPC outage at the facilitator. */
async function contradictsUs(driver: Driver, payment: Payment, reason: string): Promise<boolean> {
  if (!payment.signatureRecovered || classifyReason(reason) !== 'signature') return false
  try {
    return !(await driver.deps.chain.hasCode(payment.chainId, payment.payer))
  } catch {
    return true
  }
}

async function unavailable(driver: Driver, payment: Payment, detail: string): Promise<Step> {
  driver.deps.log.warn('facilitator.verify_unavailable', { reason: detail })
  await move(driver, payment, 'verify_unavailable', { leaseUntil: null, nextAttemptAt: lookTime(payment) })
  const error = new AppError('facilitator_unavailable', {
    detail: 'The payment could not be verified just now. Nothing was charged; send the same payment again.',
    paymentState: 'unused',
    nextAction: 'retry_same_payment',
    retryAfterSeconds: 5,
  })
  return rest({ kind: 'problem', error })
}

/**
 * Ends the payment as not made, for the given reason. `settleRefused`: `/settle` itself said no. `dropInput`: nothing was sent to
 * `/settle`, so the input of a buyer who did not pay is not kept.
 */
export async function refuse(
  driver: Driver,
  payment: Payment,
  reason: string,
  { settleRefused = false, dropInput = false }: { settleRefused?: boolean; dropInput?: boolean } = {},
): Promise<Step> {
  const nextAttemptAt = lookTime(payment)
  const moved = await move(driver, payment, 'refuse', { leaseUntil: null, nextAttemptAt, reason, dropInput })
  if (moved === null) return rest({ kind: 'in_progress', payment })
  return rest({ kind: 'rejected', code: 'payment_rejected', reason, settleRefused })
}
