import type { Payment } from '../../../db/queries/payment-row.ts'
import { AppError } from '../../errors.ts'
import type { Driver, StepResult } from './driver.ts'
import { chainCheckMs, lateAfterMs, lateChainCheckMs, retryDelaysMs } from './leases.ts'
import { move } from './move.ts'
import { after, expiryCheckAt, validBefore } from './payment-facts.ts'
import type { PurchaseAnswer } from './purchase-answer.ts'
import { record, recordAsPending } from './steps/record.ts'

/** The row in its next state, or the answer this drive ends with. */
type Next = { payment: Payment } | { answer: PurchaseAnswer }

/** Writes what a step found to the journal, in one move, and returns what comes next. */
export async function conclude(driver: Driver, result: StepResult): Promise<Next> {
  const { payment } = result
  switch (result.kind) {
    case 'moved':
      return { payment }
    case 'lost_lease':
      return { answer: { kind: 'in_progress', payment } }
    case 'unverified':
      return returnToClaimed(driver, payment, result.detail)
    case 'refused':
      return refuse(driver, payment, result)
    case 'unclear':
      return leaveUnclear(driver, result)
    case 'expired':
      return expire(driver, payment)
    case 'unpaid':
      return { answer: rejected(payment.reason ?? 'unused') }
    case 'waiting':
      return waitFor(driver, result)
    case 'retry':
      return retryLater(driver, result)
    case 'failed':
      return conclude(driver, await record(driver, payment, { status: 'failed', error: result.error }))
    case 'ended':
      return { answer: { kind: 'ended', payment, record: result.record } }
  }
}

const inProgress = (payment: Payment): Next => ({ answer: { kind: 'in_progress', payment } })

const rejected = (reason: string, settleRefused = false): PurchaseAnswer => ({
  kind: 'rejected',
  code: 'payment_rejected',
  reason,
  settleRefused,
})

/** Leaves the row `claimed`, for the same payment to try again; another driver that has the lease by now may have sent it. */
async function returnToClaimed(driver: Driver, payment: Payment, detail: string): Promise<Next> {
  driver.deps.log.warn('facilitator.verify_unavailable', { reason: detail })
  const patch = { leaseUntil: null, nextAttemptAt: expiryCheckAt(payment) }
  if ((await move(driver, payment, 'verify_unavailable', patch)) === null) return inProgress(payment)
  const error = new AppError('facilitator_unavailable', {
    detail: 'The payment could not be verified just now. Nothing was charged; send the same payment again.',
    paymentState: 'unused',
    nextAction: 'retry_same_payment',
    retryAfterSeconds: 5,
  })
  return { answer: { kind: 'problem', error } }
}

async function refuse(
  driver: Driver,
  payment: Payment,
  { reason, settleRefused, dropInput = false }: { reason: string; settleRefused?: boolean; dropInput?: boolean },
): Promise<Next> {
  const nextAttemptAt = expiryCheckAt(payment)
  const moved = await move(driver, payment, 'refuse', { leaseUntil: null, nextAttemptAt, reason, dropInput })
  return moved === null ? inProgress(payment) : { answer: rejected(reason, settleRefused) }
}

/** The same payment, a status call or the scheduled job reads the chain next. */
async function leaveUnclear(driver: Driver, result: StepResult & { kind: 'unclear' }): Promise<Next> {
  const { payment, reason, sent } = result
  const now = driver.deps.now()
  const isLate = now >= after(validBefore(payment), lateAfterMs)
  const nextAttemptAt = after(now, isLate ? lateChainCheckMs : chainCheckMs)
  const patch = { leaseUntil: null, nextAttemptAt, reason, ...(sent === undefined ? {} : { sentTxHash: sent }) }
  const moved = await move(driver, payment, 'unclear', patch)
  const { transaction } = driver.progress
  const known = transaction === undefined ? {} : { transaction }
  return { answer: { kind: 'unknown', payment: moved ?? payment, ...known } }
}

async function expire(driver: Driver, payment: Payment): Promise<Next> {
  const reason = 'authorization_lapsed'
  const moved = await move(driver, payment, 'expire', {
    leaseUntil: null,
    nextAttemptAt: expiryCheckAt(payment),
    reason,
    chainCheckedAt: driver.deps.now(),
  })
  return moved === null ? inProgress(payment) : { answer: rejected(reason) }
}

/** Returns the lease of a purchase whose run needs time. This is not a failed try. */
async function waitFor(driver: Driver, result: StepResult & { kind: 'waiting' }): Promise<Next> {
  const { payment, nextAttemptAt, reason } = result
  const patch = { leaseUntil: null, nextAttemptAt, ...(reason === undefined ? {} : { reason }) }
  const moved = await move(driver, payment, 'retry_later', patch)
  return moved === null ? inProgress(payment) : { answer: { kind: 'pending', payment: moved } }
}

/**
 * Plans the next try of a settled purchase, or ends it as owed after the last one. A provider may put it off, to the next
 * longer delay at most.
 */
async function retryLater(driver: Driver, result: StepResult & { kind: 'retry' }): Promise<Next> {
  const { payment, reason, atLeastMs = 0, retryAfterMs = 0 } = result
  const now = driver.deps.now()
  const { early } = driver
  if (early !== undefined) driver.progress.failedEarly = true
  // A failed try before its time is not counted, and the planned one stays.
  const isEarly = early !== undefined && early.plannedAt > now
  const delayMs = isEarly ? early.plannedAt.getTime() - now.getTime() : retryDelaysMs[payment.attempts]
  if (delayMs === undefined) {
    const detail = 'The model could not be run, or its output not stored, in time.'
    return conclude(driver, { kind: 'failed', payment, error: { code: reason, detail } })
  }
  const longestMs = isEarly ? delayMs : (retryDelaysMs[payment.attempts + 1] ?? delayMs)
  const waitMs = Math.max(delayMs, atLeastMs, Math.min(retryAfterMs, longestMs))
  const moved = await move(driver, payment, 'retry_later', {
    leaseUntil: null,
    nextAttemptAt: after(now, waitMs),
    attempts: payment.attempts + (isEarly ? 0 : 1),
    reason,
  })
  if (moved === null) return inProgress(payment)
  await recordAsPending(driver.deps, moved)
  return { answer: { kind: 'pending', payment: moved } }
}
