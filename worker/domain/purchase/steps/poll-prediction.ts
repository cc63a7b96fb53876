import { DatabaseUnavailable } from '../../../../db/client.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { textPieces } from '../../../upstreams/provider/output.ts'
import { type Prediction, ProviderError } from '../../../upstreams/provider/provider.ts'
import { outputTypeOf } from '../../models/model.ts'
import type { Driver, StepResult } from '../driver.ts'
import { runDeadlineMs, runLeaseMs, waitForModelMs } from '../leases.ts'
import { move } from '../move.ts'
import { after, runsSince } from '../payment-facts.ts'
import { getKnown } from './find-prediction.ts'

/** A run that came to its end, or why this driver stops waiting. */
export type RunResult = { kind: 'finished'; payment: Payment; prediction: Prediction } | StepResult

const firstPollMs = 150
/** Of a run's age: one that was waited for at its start is read less often from the first time on. */
const firstPollShare = 0.1
const pollGrowth = 1.25
const maxMisses = 3
/** Pieces of a text are wanted soon. Anything else is read less and less often, so that long runs take few calls. */
const maxPollMs = { text: 1_000, other: 5_000, long: 10_000 }

/** Waits for a prediction's end. Drivers other than the buyer's call read it once and come back later. */
export async function pollPrediction(driver: Driver, payment: Payment, first: Prediction): Promise<RunResult> {
  const { deps } = driver
  const progress = makeProgress(driver, payment)
  let prediction = first
  let current = payment
  let pollMs = firstPollOf(payment, deps.now())
  const misses = { inARow: 0 }
  for (;;) {
    progress.show(prediction)
    if (prediction.status !== 'running') return { kind: 'finished', payment: current, prediction }
    const now = deps.now()
    if (now >= after(runsSince(current), runDeadlineMs)) return timeOut(driver, current, prediction)
    if (driver.role === 'reconciler' || now >= after(driver.arrivedAt, waitForModelMs))
      return comeBack(current, prediction, now)
    const renewed = await renew(driver, current)
    if (renewed === null) return { kind: 'lost_lease', payment: current }
    current = renewed
    await deps.sleep(pollMs)
    pollMs = Math.min(pollMs * pollGrowth, pollLimit(current, now))
    prediction = (await readOnce(driver, prediction, misses)) ?? prediction
  }
}

/** One poll. A few misses in a row are accepted, so that one lost answer does not end the wait. */
async function readOnce(
  driver: Driver,
  prediction: Prediction,
  misses: { inARow: number },
): Promise<Prediction | null> {
  try {
    const seen = await getKnown(driver.deps.provider, prediction.id)
    misses.inARow = 0
    return seen
  } catch (error) {
    misses.inARow += 1
    if (!(error instanceof ProviderError) || misses.inARow > maxMisses) throw error
    return null
  }
}

const ageMs = (payment: Payment, now: Date): number => now.getTime() - runsSince(payment).getTime()

const firstPollOf = (payment: Payment, now: Date): number =>
  Math.min(Math.max(firstPollMs, ageMs(payment, now) * firstPollShare), pollLimit(payment, now))

function pollLimit(payment: Payment, now: Date): number {
  if (ageMs(payment, now) > 60_000) return maxPollMs.long
  return outputTypeOf(payment.request.task) === 'text' ? maxPollMs.text : maxPollMs.other
}

/** Renews the lease; null when it was lost. A short outage of the database changes nothing. */
async function renew(driver: Driver, payment: Payment): Promise<Payment | null> {
  const now = driver.deps.now()
  if (payment.leaseUntil !== null && payment.leaseUntil > after(now, runLeaseMs / 2)) return payment
  const leaseUntil = after(now, runLeaseMs)
  try {
    return await move(driver, payment, 'retry_later', { leaseUntil, nextAttemptAt: leaseUntil })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return payment
    throw error
  }
}

/** A running prediction is read again soon when it is young and seldom when it is old. */
function comeBack(payment: Payment, { createdAt }: Prediction, now: Date): StepResult {
  const runMs = Math.min(ageMs(payment, now), now.getTime() - (createdAt?.getTime() ?? 0))
  const nextAttemptAt = after(now, Math.min(Math.max(runMs / 10, 2_000), 60_000))
  return { kind: 'waiting', payment, nextAttemptAt, reason: null }
}

async function timeOut(driver: Driver, payment: Payment, prediction: Prediction): Promise<StepResult> {
  await cancelQuietly(driver, prediction)
  const error = { code: 'run_timed_out', detail: `The run did not end in time (${prediction.rawStatus}).` }
  return { kind: 'failed', payment, error }
}

/** Stops a run that is not needed. One that cannot be stopped costs its compute and changes nothing else. */
export async function cancelQuietly({ deps }: Driver, prediction: Prediction): Promise<void> {
  try {
    await deps.provider.cancel(prediction.id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn('prediction.cancel_failed', { predictionId: prediction.id, reason: error.message })
  }
}

/** Emits what is new: log line, seconds, pieces of text. */
function makeProgress(driver: Driver, payment: Payment): { show(prediction: Prediction): void } {
  const isText = outputTypeOf(payment.request.task) === 'text'
  let seen: unknown = null
  return {
    show(prediction) {
      const startedAt = runsSince(payment)
      const seconds = Math.round((driver.deps.now().getTime() - startedAt.getTime()) / 1000)
      driver.emit({ event: 'running', log: prediction.lastLog, seconds })
      if (!isText) return
      const text = textPieces(seen, prediction.output)
      seen = prediction.output ?? seen
      if (text !== '') driver.emit({ event: 'token', text })
    },
  }
}
