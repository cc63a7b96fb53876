import { DatabaseUnavailable } from '../../../db/client.ts'
import { hasInput, type Payment } from '../../../db/queries/payment-row.ts'
import { tiePrediction } from '../../../db/queries/payment-transitions.ts'
import { findModel } from '../../models/catalogue.ts'
import { type Prediction, ProviderError } from '../../providers/provider.ts'
import { after, type Driver, move, rest, type Step } from '../driver.ts'
import { correlates, webhookUrl } from './correlation.ts'
import { watch } from './poll-prediction.ts'
import { cancelQuietly, getKnown } from './prediction.ts'
import { recordFailure } from './record.ts'
import { retryLater } from './retry.ts'
import { store } from './store-output.ts'

/** A run that nobody finds this long after the settled mark was never started. */
const startUnseenAfterMs = 60_000
/** Runs created while clocks of provider and worker differ are still found. */
const searchSkewMs = 30_000
/** Nobody else may look for a run that is being started for this long: the call may take 25 s, the list may lag by a minute. */
const startHoldMs = 90_000

/** Brings a settled payment to its end: find or start the prediction, wait for it, store, record. */
export async function run(driver: Driver, payment: Payment): Promise<Step> {
  // Rejected first, made all the same: the buyer brings the input again with the same payment.
  if (!hasInput(payment)) return retryLater(driver, payment, 'input_not_kept')
  try {
    const prediction = await obtain(driver, payment)
    if (prediction === null) return waitToStart(driver, payment)
    driver.deps.upstreams.recordSuccess('provider')
    const watched = await watch(driver, { ...payment, predictionId: prediction.id }, prediction)
    return watched.kind === 'finished' ? store(driver, watched.payment, watched.prediction) : watched.step
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return afterProviderError(driver, payment, error)
  }
}

function afterProviderError(driver: Driver, payment: Payment, error: ProviderError): Promise<Step> {
  // What the provider says after the colon may repeat the prompt.
  const reason = error.message.split(':', 1)[0]
  driver.deps.log.warn('provider.failed', { inferenceId: payment.inferenceId, kind: error.kind, reason })
  if (error.kind === 'input') {
    const detail = 'The provider did not take this request for the model.'
    return recordFailure(driver, payment, { code: 'input_rejected', detail })
  }
  driver.deps.upstreams.recordFailure('provider', driver.deps.now())
  return retryLater(driver, payment, 'provider_unavailable', (error.retryAfterSeconds ?? 0) * 1000)
}

/** The payment's prediction: the tied one, a new one, or one that an earlier driver started; null when it is too early to tell. */
async function obtain(driver: Driver, payment: Payment): Promise<Prediction | null> {
  const { deps } = driver
  if (payment.predictionId !== null) return getKnown(deps.provider, payment.predictionId)
  if (mayStartUnseen(driver, payment)) return start(driver, payment)
  if (driver.hint !== undefined) {
    const hinted = await getKnown(deps.provider, driver.hint)
    return isOurs(hinted, payment) ? adopt(driver, payment, hinted) : null
  }
  const found = await search(driver, payment)
  if (found !== null) return adopt(driver, payment, found)
  const settledAt = payment.settledAt ?? payment.updatedAt
  return deps.now() >= after(settledAt, startUnseenAfterMs) ? startAgain(driver, payment) : null
}

/** No run can exist yet: this driver wrote the settled mark, and its lease has kept all others away since. */
const mayStartUnseen = (driver: Driver, payment: Payment): boolean =>
  driver.markedSettled && payment.leaseUntil !== null && driver.deps.now() < payment.leaseUntil

/**
 * Starts a run where an earlier driver may have tried to. Whoever comes next must not look before this one can be seen, or it
 * would start another: the lease and the next look reach that far. Null when the lease was lost.
 */
async function startAgain(driver: Driver, payment: Payment): Promise<Prediction | null> {
  const until = after(driver.deps.now(), startHoldMs)
  const held = await move(driver, payment, 'retry_later', { leaseUntil: until, nextAttemptAt: until })
  if (held === null) return null
  try {
    return await start(driver, held)
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.maybeStarted) throw error
    const retryAfterSeconds = startHoldMs / 1000
    throw new ProviderError(error.kind, error.message, { maybeStarted: true, retryAfterSeconds, cause: error })
  }
}

/** Creating is not idempotent: only reached when no run can exist, or none was found long enough after the mark. */
async function start(driver: Driver, payment: Payment): Promise<Prediction> {
  driver.markedSettled = false
  const model = findModel(payment.request.model)
  if (model === undefined) throw new ProviderError('input', 'the model left the catalogue')
  const prediction = await driver.deps.provider.create({
    model: model.providerModel,
    input: payment.request.input,
    webhookUrl: webhookUrl(driver.deps.config, payment),
  })
  driver.deps.log.info('prediction.started', { inferenceId: payment.inferenceId, predictionId: prediction.id })
  return adopt(driver, payment, prediction)
}

/** Looks through the provider's list, back to the claim, for the run that carries this payment's correlation id. */
async function search(driver: Driver, payment: Payment): Promise<Prediction | null> {
  const { provider } = driver.deps
  for await (const listed of provider.list(after(payment.createdAt, -searchSkewMs))) {
    const candidate = listed.webhook === null ? await getKnown(provider, listed.id) : listed
    if (isOurs(candidate, payment)) return candidate
  }
  return null
}

/** Whether a run carries this payment's correlation id. One that failed before an operator's retry does not count any more. */
function isOurs(prediction: Prediction, payment: Payment): boolean {
  if (!correlates(prediction.webhook, payment)) return false
  const { rerunAt } = payment
  const isOld = rerunAt !== null && prediction.createdAt !== null && prediction.createdAt < rerunAt
  return !(isOld && prediction.status === 'failed')
}

/**
 * Writes the prediction's id, the first one wins. If another driver tied another run, that one counts and ours is cancelled.
 * Without the database the run goes on all the same: a later driver finds it by its correlation id.
 */
async function adopt(driver: Driver, payment: Payment, prediction: Prediction): Promise<Prediction> {
  const { deps } = driver
  try {
    const tied = await tiePrediction(deps.database, payment.id, prediction.id, deps.now())
    if (tied === null || tied === prediction.id) return prediction
    deps.log.error('prediction.doubled', { inferenceId: payment.inferenceId, predictionId: prediction.id })
    await cancelQuietly(driver, prediction)
    return await getKnown(deps.provider, tied)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    deps.log.warn('prediction.not_tied', { inferenceId: payment.inferenceId, predictionId: prediction.id })
    return prediction
  }
}

/** Nothing was found and it is too early to start: looked at again when it is not. */
async function waitToStart(driver: Driver, payment: Payment): Promise<Step> {
  const startAt = after(payment.settledAt ?? payment.updatedAt, startUnseenAfterMs)
  // A hint only brings a look forward; when the next one is due was decided before it.
  const nextAttemptAt = driver.hint === undefined ? startAt : (payment.nextAttemptAt ?? startAt)
  const moved = await move(driver, payment, 'retry_later', { leaseUntil: null, nextAttemptAt })
  return rest(moved === null ? { kind: 'in_progress', payment } : { kind: 'pending', payment: moved })
}
