import { DatabaseUnavailable } from '../../../db/client.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { outputTypeOf } from '../../models/model.ts'
import { textPieces } from '../../providers/output.ts'
import { type Prediction, ProviderError } from '../../providers/provider.ts'
import { after, type Driver, move, rest, runsSince, type Step } from '../driver.ts'
import { cancelQuietly, getKnown } from './prediction.ts'
import { recordFailure } from './record.ts'

type Watched = { kind: 'finished'; payment: Payment; prediction: Prediction } | { kind: 'rest'; step: Step }

/** The provider ends a run after 30 minutes; what has not ended long after that never will. */
const runDeadlineMs = 45 * 60_000
/** A buyer's call is followed this long; then the scheduled job has it. */
const patienceMs = 10 * 60_000
const leaseMs = 30_000
const firstPollMs = 150
const pollGrowth = 1.4
const maxMisses = 3
/** Pieces of a text are wanted soon; anything else may be asked less and less often, so that long runs stay few calls. */
const maxPollMs = { text: 1_000, other: 5_000, long: 10_000 }

/** Waits for a prediction's end. Drivers other than the buyer's look once and come back later. */
export async function watch(driver: Driver, payment: Payment, first: Prediction): Promise<Watched> {
  const { deps } = driver
  const progress = makeProgress(driver, payment)
  let prediction = first
  let current = payment
  let pollMs = firstPollMs
  const misses = { inARow: 0 }
  for (;;) {
    progress.show(prediction)
    if (prediction.status !== 'running') return { kind: 'finished', payment: current, prediction }
    const now = deps.now()
    if (now >= after(runsSince(current), runDeadlineMs)) return expire(driver, current, prediction)
    if (!driver.buyer || now >= after(driver.arrivedAt, patienceMs)) return comeBack(driver, current)
    const renewed = await renew(driver, current)
    if (renewed === null) return { kind: 'rest', step: rest({ kind: 'in_progress', payment: current }) }
    current = renewed
    await deps.sleep(pollMs)
    pollMs = Math.min(pollMs * pollGrowth, pollLimit(current, now))
    prediction = (await look(driver, prediction, misses)) ?? prediction
  }
}

/** One poll. A few misses in a row are borne, so that one dropped answer does not put a running purchase off. */
async function look(driver: Driver, prediction: Prediction, misses: { inARow: number }): Promise<Prediction | null> {
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

function pollLimit(payment: Payment, now: Date): number {
  const runningMs = now.getTime() - runsSince(payment).getTime()
  if (runningMs > 60_000) return maxPollMs.long
  return outputTypeOf(payment.request.task) === 'text' ? maxPollMs.text : maxPollMs.other
}

/** Keeps the lease while there is a wait; null when it was lost. A database that is away for a moment changes nothing. */
async function renew(driver: Driver, payment: Payment): Promise<Payment | null> {
  const now = driver.deps.now()
  if (payment.leaseUntil !== null && payment.leaseUntil > after(now, leaseMs / 2)) return payment
  const leaseUntil = after(now, leaseMs)
  try {
    return await move(driver, payment, 'retry_later', { leaseUntil, nextAttemptAt: leaseUntil })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return payment
    throw error
  }
}

/** Gives a running prediction back, to be looked at again soon when it is young and seldom when it is old. */
async function comeBack(driver: Driver, payment: Payment): Promise<Watched> {
  const now = driver.deps.now()
  const ageMs = now.getTime() - runsSince(payment).getTime()
  const nextAttemptAt = after(now, Math.min(Math.max(ageMs / 10, 2_000), 60_000))
  const moved = await move(driver, payment, 'retry_later', { leaseUntil: null, nextAttemptAt, reason: null })
  const answer =
    moved === null ? ({ kind: 'in_progress', payment } as const) : ({ kind: 'pending', payment: moved } as const)
  return { kind: 'rest', step: rest(answer) }
}

async function expire(driver: Driver, payment: Payment, prediction: Prediction): Promise<Watched> {
  await cancelQuietly(driver, prediction)
  const error = { code: 'run_timed_out', detail: `The run did not end in time (${prediction.rawStatus}).` }
  return { kind: 'rest', step: await recordFailure(driver, payment, error) }
}

/** Tells watchers what is new: log line, seconds, pieces of text. */
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
