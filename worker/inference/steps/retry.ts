import type { Payment } from '../../../db/queries/payment-row.ts'
import { after, type Driver, move, rest, type Step } from '../driver.ts'
import { recordAsPending, recordFailure } from './record.ts'

/** Waits before the second to sixth try of a settled purchase whose provider or storage is out of reach. */
const delaysMs = [30_000, 60_000, 300_000, 1_800_000, 7_200_000]

/** Puts a settled purchase off, by `atLeastMs` or more, or ends it as owed when every try has failed. */
export async function retryLater(driver: Driver, payment: Payment, reason: string, atLeastMs = 0): Promise<Step> {
  const delayMs = delaysMs[payment.attempts]
  if (delayMs === undefined) {
    const detail = 'The model could not be run, or its output not stored, within the time we keep trying.'
    return recordFailure(driver, payment, { code: reason, detail })
  }
  const moved = await move(driver, payment, 'retry_later', {
    leaseUntil: null,
    nextAttemptAt: after(driver.deps.now(), Math.max(delayMs, atLeastMs)),
    attempts: payment.attempts + 1,
    reason,
  })
  if (moved === null) return rest({ kind: 'in_progress', payment })
  await recordAsPending(driver, moved)
  return rest({ kind: 'pending', payment: moved })
}
