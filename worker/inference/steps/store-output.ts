import type { Payment } from '../../../db/queries/payment-row.ts'
import type { Outcome } from '../../../db/queries/record-inference.ts'
import { outputTypeOf } from '../../models/model.ts'
import { actualCostUsdc } from '../../pricing/price.ts'
import { collectOutput } from '../../providers/output.ts'
import { type Prediction, ProviderError } from '../../providers/provider.ts'
import { copyMedia } from '../../storage/copy-media.ts'
import { EXTENSIONS } from '../../storage/media-type.ts'
import { StorageUnavailable } from '../../storage/object-store.ts'
import type { Driver, StepResult } from '../driver.ts'

type OutputData = { text: string } | { urls: string[] }
type Stored =
  | { kind: 'stored'; data: OutputData; digests: (string | null)[] | null }
  | { kind: 'failed'; code: string; detail: string }

/** The outcome of a succeeded run, or why there is no output to record. */
type StoreResult = { kind: 'finished'; outcome: Outcome } | StepResult

/** Stores a finished run's output, media in the object store, and returns the outcome to record. */
export async function storeOutput(driver: Driver, payment: Payment, prediction: Prediction): Promise<StoreResult> {
  if (prediction.status === 'failed') return { kind: 'failed', payment, error: failureOf(prediction) }
  try {
    const stored = await keep(driver, payment, prediction)
    if (stored.kind === 'failed') {
      return { kind: 'failed', payment, error: { code: stored.code, detail: stored.detail } }
    }
    driver.emit({ event: 'stored' })
    return { kind: 'finished', outcome: outcomeOf(payment, prediction, stored) }
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    driver.deps.log.warn('store.failed', { inferenceId: payment.inferenceId, reason: error.message })
    driver.deps.upstreams.recordFailure('store', driver.deps.now())
    return { kind: 'retry', payment, reason: 'storage_unavailable' }
  }
}

function outcomeOf(
  payment: Payment,
  { predictTimeMs }: Prediction,
  { data, digests }: Stored & { kind: 'stored' },
): Outcome {
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

async function keep(driver: Driver, payment: Payment, prediction: Prediction): Promise<Stored> {
  const output = collectOutput(outputTypeOf(payment.request.task), prediction.output)
  if (output.kind === 'text') return { kind: 'stored', data: { text: output.text }, digests: null }
  if (output.kind === 'files') return copyAll(driver, payment, output.urls)
  const found = outputTypeOf(payment.request.task) === 'text' ? [] : await storedBefore(driver, payment)
  if (found.length > 0) return foundAgain(found)
  const detail = prediction.dataRemoved ? 'The output was removed before it could be kept.' : 'The run made no output.'
  return { kind: 'failed', code: prediction.dataRemoved ? 'output_lost' : 'output_empty', detail }
}

/** Copies every file, each under its place in the purchase's prefix. A file that may not be kept fails the run for good. */
async function copyAll(driver: Driver, payment: Payment, urls: string[]): Promise<Stored> {
  const { provider, store: objects, upstreams } = driver.deps
  try {
    const copies = await Promise.all(
      urls.map((url, index) => copyMedia(provider, objects, url, `${payment.objectKey}/${index}`)),
    )
    upstreams.recordSuccess('store')
    const data = { urls: copies.map(({ key }) => objects.publicUrl(key)) }
    return { kind: 'stored', data, digests: copies.map(({ sha256 }) => sha256) }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'input') throw error
    const found = await storedBefore(driver, payment)
    if (found.length === urls.length) return foundAgain(found)
    driver.deps.log.warn('output.refused', { inferenceId: payment.inferenceId, reason: error.message })
    return { kind: 'failed', code: 'output_refused', detail: error.message }
  }
}

/** Files whose bytes this driver never saw. */
const foundAgain = (urls: string[]): Stored => ({ kind: 'stored', data: { urls }, digests: urls.map(() => null) })

/** What an earlier driver stored before it ended, found again by its keys. */
async function storedBefore(driver: Driver, payment: Payment): Promise<string[]> {
  const { store: objects } = driver.deps
  const urls: string[] = []
  for (;;) {
    const keys = EXTENSIONS.map((extension) => `${payment.objectKey}/${urls.length}.${extension}`)
    const heads = await Promise.all(keys.map((key) => objects.head(key)))
    const key = keys.find((_, index) => heads[index] !== null)
    if (key === undefined) return urls
    urls.push(objects.publicUrl(key))
  }
}
