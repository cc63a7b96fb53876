import type { InferenceRecord } from '../../db/queries/inference-row.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import type { RequestDeps } from '../context.ts'
import { metricsOf, storedKey } from '../inference/views/present.ts'
import { slotted, startRead } from '../rate-limits/read-costs.ts'
import { StorageUnavailable, type StoredFile } from '../storage/object-store.ts'
import { imageStream } from './image-stream.ts'

const CHARACTERS_PER_TOKEN = 4

/** Unix seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** One stored file of a purchase. Throws `StorageUnavailable`. */
async function openStored({ store }: RequestDeps, payment: Payment, url: string): Promise<StoredFile> {
  const file = await store.open(storedKey(payment, url))
  if (file === null) throw new StorageUnavailable('a stored file is gone')
  return file
}

/** The body of `POST /v1/images/generations` with links. */
export const imageAnswer = (payment: Payment, record: InferenceRecord) => ({
  created: secondsOf(record.createdAt),
  data: urlsOf(record).map((url) => ({ url })),
  metrics: metricsOf(payment, record),
})

/**
 * The same with the pictures in base64, streamed. Throws `StorageUnavailable` before the first byte, and `model_unavailable` where too
 * many files are read.
 */
export async function imageFilesAnswer(
  deps: RequestDeps,
  payment: Payment,
  record: InferenceRecord,
): Promise<ReadableStream<Uint8Array>> {
  const slot = await startRead(deps, 'replayed files', payment.payer)
  try {
    const files = await Promise.all(urlsOf(record).map((url) => openStored(deps, payment, url)))
    const bodies = files.map(({ body }) => body)
    return slotted(imageStream(secondsOf(record.createdAt), bodies, metricsOf(payment, record)), slot)
  } catch (error) {
    slot.release()
    throw error
  }
}

/** A sound's file, streamed. Throws as `imageFilesAnswer` does. */
export async function soundFileAnswer(
  deps: RequestDeps,
  payment: Payment,
  record: InferenceRecord,
): Promise<StoredFile> {
  const slot = await startRead(deps, 'replayed files', payment.payer)
  try {
    const file = await openStored(deps, payment, urlsOf(record)[0] ?? '')
    return { ...file, body: slotted(file.body, slot) }
  } catch (error) {
    slot.release()
    throw error
  }
}

export const urlsOf = ({ output }: InferenceRecord): string[] =>
  output === null || output.type === 'text' ? [] : output.urls

/** The body of `POST /v1/chat/completions`. */
export function chatAnswer(payment: Payment, record: InferenceRecord, asked: string) {
  const content = record.output?.type === 'text' ? record.output.text : ''
  const message = { role: 'assistant', content, refusal: null }
  return {
    id: record.id,
    object: 'chat.completion',
    created: secondsOf(record.createdAt),
    model: record.model,
    choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
    usage: usageOf(asked, content),
    metrics: metricsOf(payment, record),
  }
}

/** Estimates: the providers do not report tokens. What was paid is in `metrics`. */
export function usageOf(asked: string, answered: string) {
  const [prompt, completion] = [asked, answered].map(({ length }) => Math.ceil(length / CHARACTERS_PER_TOKEN))
  const [prompt_tokens, completion_tokens] = [prompt ?? 0, completion ?? 0]
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
