import { DatabaseUnavailable } from '../../../../db/client.ts'
import { hasInput, type Payment } from '../../../../db/queries/payment-row.ts'
import { tiePrediction } from '../../../../db/queries/payment-transitions.ts'
import { type Prediction, ProviderError } from '../../../upstreams/provider/provider.ts'
import { findModel } from '../../models/catalogue.ts'
import { outputTypeOf } from '../../models/model.ts'
import type { Driver, StepResult } from '../driver.ts'
import { startHoldMs, startSoonMs, startUnseenAfterMs, startWaitMs, throttledStartMs } from '../leases.ts'
import { move } from '../move.ts'
import { after, runsSince } from '../payment-facts.ts'
import { belongsTo, getKnown, makeRunSearch, webhookUrl } from './find-prediction.ts'
import { cancelQuietly, pollPrediction, type RunResult } from './poll-prediction.ts'

/** Finds or starts the prediction of a settled payment, and waits for its end. */
export async function run(driver: Driver, payment: Payment): Promise<RunResult> {
  // It was rejected first and then paid: its buyer brings the input again, with the same payment.
  if (!hasInput(payment)) return { kind: 'retry', payment, reason: 'input_not_kept' }
  try {
    const prediction = await obtain(driver, payment)
    if (prediction === null) return waitToStart(driver, payment)
    driver.deps.upstreams.recordSuccess('provider')
    return await pollPrediction(driver, { ...payment, predictionId: prediction.id }, prediction)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    // Its answer was lost: the run may exist, and the list may not show it yet.
    return afterProviderError(
      driver,
      payment,
      error,
      driver.progress.holdsStart && error.maybeStarted ? startHoldMs : 0,
    )
  }
}

/** A failure of the provider: final when it refuses the input, else tried again, `atLeastMs` from now or later. */
export function afterProviderError(driver: Driver, payment: Payment, error: ProviderError, atLeastMs = 0): StepResult {
  // The text after the colon may repeat the prompt.
  const reason = error.message.split(':', 1)[0]
  driver.deps.log.warn('provider.failed', { inferenceId: payment.inferenceId, kind: error.kind, reason })
  if (error.kind === 'input') {
    const detail = 'The provider did not take this request for the model.'
    return { kind: 'failed', payment, error: { code: 'input_rejected', detail } }
  }
  if (!error.throttledRead) driver.deps.upstreams.recordFailure('provider', driver.deps.now())
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
  return { kind: 'retry', payment, reason: 'provider_unavailable', atLeastMs, retryAfterMs }
}

/** The payment's prediction: the tied one, a new one, or one that an earlier driver started. Null when it is too early. */
async function obtain(driver: Driver, payment: Payment): Promise<Prediction | null> {
  const { deps } = driver
  if (payment.predictionId !== null) return getKnown(deps.provider, payment.predictionId)
  if (mayStartWithoutSearch(driver, payment)) return start(driver, payment, isLate(payment, deps.now()))
  if (driver.hint !== undefined) {
    const hinted = await getKnown(deps.provider, driver.hint)
    return belongsTo(hinted, payment) ? savePredictionId(driver, payment, hinted) : null
  }
  // A shared list may have been read when its batch began: only what it could show then counts.
  const searchedAt = driver.search ? driver.arrivedAt : deps.now()
  const found = await (driver.search ?? makeRunSearch(deps.provider, payment.createdAt))(payment)
  if (found) return savePredictionId(driver, payment, found)
  return searchedAt >= startsAt(payment) ? start(driver, payment, true) : null
}

const startsAt = (payment: Payment): Date => after(payment.settledAt ?? payment.updatedAt, startUnseenAfterMs)

/** No prediction can exist: this driver wrote the settled mark, and its lease has kept all others away since. */
const mayStartWithoutSearch = (driver: Driver, payment: Payment): boolean =>
  driver.progress.markedSettled && payment.leaseUntil !== null && driver.deps.now() < payment.leaseUntil

/** The settled mark took long, so other drivers would look before this start could be seen. */
const isLate = (payment: Payment, now: Date): boolean => now >= after(runsSince(payment), startSoonMs)

/**
 * Starts a run. Where another driver could look before it can be seen, and would then start a second one, lease and next attempt are
 * first moved past that time (`isHeld`). A provider that throttles has not acted on the call, so the call alone is sent again.
 * Null when the lease was lost.
 */
async function start(driver: Driver, payment: Payment, isHeld: boolean, waitedMs = 0): Promise<Prediction | null> {
  const until = after(driver.deps.now(), startHoldMs)
  const held = isHeld
    ? await move(driver, payment, 'retry_later', { leaseUntil: until, nextAttemptAt: until })
    : payment
  if (held === null) return null
  driver.progress.holdsStart = isHeld
  try {
    return await create(driver, held)
  } catch (error) {
    const seconds = error instanceof ProviderError ? error.retryAfterSeconds : undefined
    const waitMs = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000
    if (waitedMs + waitMs > throttledStartMs) throw error
    await driver.deps.sleep(waitMs)
    return start(driver, held, true, waitedMs + waitMs)
  }
}

/** Creating is not idempotent: only reached when no run can exist, or none was found long enough after the mark. */
async function create(driver: Driver, payment: Payment): Promise<Prediction> {
  const model = findModel(payment.request.model)
  if (model === undefined) throw new ProviderError('input', 'the model left the catalogue')
  const prediction = await driver.deps.provider.create({
    model: model.providerModel,
    input: payment.request.input,
    webhookUrl: webhookUrl(driver.deps.config, payment),
    waitSeconds: driver.awaitsResult ? startWaitMs / 1000 : 0,
  })
  driver.deps.log.info('prediction.started', { inferenceId: payment.inferenceId, predictionId: prediction.id })
  return isRecordedNext(payment, prediction) ? prediction : savePredictionId(driver, payment, prediction)
}

/** A text that is there already is recorded next, and its record writes the run's id: nothing lies between that could lose it. */
const isRecordedNext = (payment: Payment, { status }: Prediction): boolean =>
  status !== 'running' && outputTypeOf(payment.request.task) === 'text'

/**
 * Writes the prediction's id to the row; the first one stays. If another driver tied another run, that one counts and this one
 * is cancelled. Without the database the run continues: a later driver finds it by its correlation id. That of a held start may not
 * be found yet, so the hold must stay as it is: throws.
 */
async function savePredictionId(driver: Driver, payment: Payment, prediction: Prediction): Promise<Prediction> {
  const { deps } = driver
  try {
    const tied = await tiePrediction(deps.database, payment, prediction.id, deps.now())
    driver.progress.holdsStart = false
    if (tied === null || tied === prediction.id) return prediction
    deps.log.error('prediction.doubled', { inferenceId: payment.inferenceId, predictionId: prediction.id })
    await cancelQuietly(driver, prediction)
    return await getKnown(deps.provider, tied)
  } catch (error) {
    if (driver.progress.holdsStart || !(error instanceof DatabaseUnavailable)) throw error
    deps.log.warn('prediction.not_tied', { inferenceId: payment.inferenceId, predictionId: prediction.id })
    return prediction
  }
}

/** No run was found and it is too early to start one. A hint does not change when the next attempt is due. */
function waitToStart(driver: Driver, payment: Payment): StepResult {
  const startAt = startsAt(payment)
  const nextAttemptAt = driver.hint === undefined ? startAt : (payment.nextAttemptAt ?? startAt)
  return { kind: 'waiting', payment, nextAttemptAt }
}
