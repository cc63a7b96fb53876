import type { Payment } from '../../../../db/queries/payment-row.ts'
import type { Outcome, OutputData } from '../../../../db/queries/record-inference.ts'
import { collectOutput, MAX_FILES } from '../../../upstreams/provider/output.ts'
import { type Prediction, ProviderError } from '../../../upstreams/provider/provider.ts'
import { copyMedia } from '../../../upstreams/store/copy-media.ts'
import { extensionsOf, type MediaKind } from '../../../upstreams/store/media-type.ts'
import { StorageUnavailable } from '../../../upstreams/store/object-store.ts'
import { outputTypeOf } from '../../models/model.ts'
import { actualCostUsdc } from '../../pricing/price.ts'
import type { Driver, StepResult } from '../driver.ts'
import { retryDelaysMs } from '../leases.ts'
import { afterProviderError } from './run.ts'

interface Stored {
  kind: 'stored'
  data: OutputData
  digests: (string | null)[] | null
}

/** The outcome of a succeeded run, or why there is no output to record. */
type StoreResult = { kind: 'finished'; outcome: Outcome } | StepResult

/** A file that was not found is looked for again this often before it counts as lost. */
const MISSING_RETRIES = 3
const MISSING_REASON = 'output_not_found'

/** Stores a finished run's output, media in the object store, and returns the outcome to record. */
export async function storeOutput(driver: Driver, payment: Payment, prediction: Prediction): Promise<StoreResult> {
  if (prediction.status === 'failed') return { kind: 'failed', payment, error: failureOf(prediction) }
  try {
    const stored = await keep(driver, payment, prediction)
    if (stored.kind !== 'stored') return stored
    driver.emit({ event: 'stored' })
    return { kind: 'finished', outcome: outcomeOf(payment, prediction, stored) }
  } catch (error) {
    if (error instanceof ProviderError) return afterProviderError(driver, payment, error)
    if (!(error instanceof StorageUnavailable)) throw error
    driver.deps.log.warn('store.failed', { inferenceId: payment.inferenceId, reason: error.message })
    driver.deps.upstreams.recordFailure('store', driver.deps.now())
    return { kind: 'retry', payment, reason: 'storage_unavailable' }
  }
}

const failed = (payment: Payment, code: string, detail: string): StepResult => ({
  kind: 'failed',
  payment,
  error: { code, detail },
})

function outcomeOf(payment: Payment, { predictTimeMs }: Prediction, { data, digests }: Stored): Outcome {
  const costUsdc = predictTimeMs === null ? null : actualCostUsdc(predictTimeMs, payment.terms.effectiveRateUsdc)
  return { status: 'succeeded', outputData: data, outputDigests: digests, predictTimeMs, actualCostUsdc: costUsdc }
}

/** The provider's own reason of a failure, sorted by what the buyer can do about it. */
function failureOf(prediction: Prediction): { code: string; detail: string } {
  const detail = prediction.error ?? `The run ended as ${prediction.rawStatus}.`
  if (/nsfw|safety|sensitive|content policy|moderation/i.test(detail)) return { code: 'content_rejected', detail }
  const stopped = prediction.rawStatus === 'canceled' || prediction.rawStatus === 'aborted'
  return { code: stopped ? `run_${prediction.rawStatus}` : 'run_failed', detail }
}

async function keep(driver: Driver, payment: Payment, prediction: Prediction): Promise<Stored | StepResult> {
  const type = outputTypeOf(payment.request.task)
  const output = collectOutput(type, prediction.output)
  if (output.kind === 'text') return storedText(output.text, prediction)
  if (type !== 'text') {
    if (output.kind === 'files') return copyAll(driver, payment, type, output.urls)
    const found = await storedBefore(driver, payment, type, MAX_FILES)
    if (found.length > 0) return foundAgain(found)
  }
  if (prediction.dataRemoved) return failed(payment, 'output_lost', 'The output was removed before it could be kept.')
  return failed(payment, 'output_empty', 'The run made no output.')
}

const storedText = (text: string, { tokens }: Prediction): Stored => ({
  kind: 'stored',
  data: { text, ...(tokens !== null && { tokens }) },
  digests: null,
})

/** Copies every file of the task's kind, each under its place in the purchase's prefix. Files of other kinds are left out. */
async function copyAll(
  driver: Driver,
  payment: Payment,
  kind: MediaKind,
  urls: string[],
): Promise<Stored | StepResult> {
  const { provider, store: objects, upstreams } = driver.deps
  try {
    const copies = await Promise.all(
      urls.map((url, index) =>
        copyMedia(provider, objects, kind, url, `${payment.objectKey}/${index}`).catch(notThereYet),
      ),
    )
    upstreams.recordSuccess('store')
    const late = copies.find((copy) => copy instanceof ProviderError)
    const kept = copies.flatMap((copy) => (copy === null || copy instanceof ProviderError ? [] : [copy]))
    if (late !== undefined && !(kept.length > 0 && isLastLook(driver, payment))) throw late
    if (kept.length === 0) return refused(driver, payment, 'output type not allowed')
    const data = { urls: kept.map(({ key }) => objects.publicUrl(key)) }
    return { kind: 'stored', data, digests: kept.map(({ sha256 }) => sha256) }
  } catch (error) {
    if (!(error instanceof ProviderError) || !(error.missing || error.kind === 'input')) throw error
    const found = await storedBefore(driver, payment, kind, urls.length)
    if (found.length === urls.length) return foundAgain(found)
    return error.missing ? lookAgain(driver, payment, error) : refused(driver, payment, error.message)
  }
}

/** A file that is not there yet does not end the copies of the others. */
function notThereYet(error: unknown): ProviderError {
  if (error instanceof ProviderError && error.missing) return error
  throw error
}

function refused({ deps }: Driver, payment: Payment, reason: string): StepResult {
  deps.log.warn('output.refused', { inferenceId: payment.inferenceId, reason })
  return failed(payment, 'output_refused', reason)
}

/** True if a file that is not there now counts as lost. */
function isLastLook({ early }: Driver, payment: Payment): boolean {
  const isLast = payment.reason === MISSING_REASON && payment.attempts >= MISSING_RETRIES
  return early === undefined && (isLast || payment.attempts >= retryDelaysMs.length)
}

/** A provider's files may become visible a little later than its run ends. */
function lookAgain(driver: Driver, payment: Payment, error: ProviderError): StepResult {
  driver.deps.log.warn('output.not_found', { inferenceId: payment.inferenceId, reason: error.message })
  if (isLastLook(driver, payment)) {
    return failed(payment, 'output_lost', 'The output file was not found.')
  }
  return { kind: 'retry', payment, reason: MISSING_REASON }
}

/** Files whose bytes this driver never saw. */
const foundAgain = (urls: string[]): Stored => ({ kind: 'stored', data: { urls }, digests: urls.map(() => null) })

/** The output that an earlier driver stored before it ended, found again by its keys. */
async function storedBefore(driver: Driver, payment: Payment, kind: MediaKind, count: number): Promise<string[]> {
  const { store: objects } = driver.deps
  const urls: string[] = []
  for (let index = 0; index < count; index += 1) {
    const keys = extensionsOf(kind).map((extension) => `${payment.objectKey}/${index}.${extension}`)
    const heads = await Promise.all(keys.map((key) => objects.head(key)))
    const key = keys.find((_, at) => heads[at] !== null)
    if (key !== undefined) urls.push(objects.publicUrl(key))
  }
  return urls
}
