import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import type { RequestDeps } from '../../domain/deps.ts'
import { metricsOf, storedKey } from '../../domain/purchase/views/present.ts'
import { streamInSlot } from '../../domain/rate-limits/read-costs.ts'
import { StorageUnavailable, type StoredFile } from '../../upstreams/store/object-store.ts'
import { imageStream } from './image-stream.ts'
import { tokenLimitOf } from './model-inputs.ts'
import { cutAtStop } from './stops.ts'

const CHARACTERS_PER_TOKEN = 4

/** Unix seconds. */
export const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

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
export const imageFilesAnswer = (
  deps: RequestDeps,
  payment: Payment,
  record: InferenceRecord,
): Promise<ReadableStream<Uint8Array>> =>
  streamInSlot(deps, 'replayed files', payment.payer, async (keep) => {
    const files = await Promise.all(urlsOf(record).map((url) => openStored(deps, payment, url)))
    const bodies = files.map(({ body }) => body)
    return keep(imageStream(secondsOf(record.createdAt), bodies, metricsOf(payment, record)))
  })

/** A sound's file, streamed. Throws as `imageFilesAnswer` does. */
export const soundFileAnswer = (deps: RequestDeps, payment: Payment, record: InferenceRecord): Promise<StoredFile> =>
  streamInSlot(deps, 'replayed files', payment.payer, async (keep) => {
    const file = await openStored(deps, payment, urlsOf(record)[0] ?? '')
    return { ...file, body: keep(file.body) }
  })

export const urlsOf = ({ output }: InferenceRecord): string[] =>
  output === null || output.type === 'text' ? [] : output.urls

/** The body of `POST /v1/chat/completions`. Only this answer ends at a stop: the record has the whole text. */
export function chatAnswer(payment: Payment, record: InferenceRecord, { asked, stops }: Asked) {
  const { text: content, isCut } = cutAtStop(textOf(record), stops)
  const message = { role: 'assistant', content, refusal: null }
  return {
    id: record.id,
    object: 'chat.completion',
    created: secondsOf(record.createdAt),
    model: record.model,
    choices: [{ index: 0, message, finish_reason: finishOf(record, isCut), logprobs: null }],
    usage: usageOf(record, asked),
    metrics: metricsOf(payment, record),
  }
}

/** The facts about its call that an answer in text needs. */
export interface Asked {
  /** All that was asked, for an estimate of its tokens. */
  asked: string
  stops: readonly string[]
}

/** The whole text of a run. */
export const textOf = ({ output }: InferenceRecord): string => (output?.type === 'text' ? output.text : '')

/** Why an answer ends: `length` where the run wrote as many tokens as it might, by the provider's count. */
export function finishOf({ input, tokens }: InferenceRecord, isCut: boolean): 'stop' | 'length' {
  const limit = tokenLimitOf(input)
  return !isCut && limit !== null && tokens !== null && tokens.output >= limit ? 'length' : 'stop'
}

/** The provider's count, or an estimate by the letters where it has none. What was paid is in `metrics`. */
export function usageOf(record: InferenceRecord, asked: string) {
  const estimated = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)
  const { input, output } = record.tokens ?? { input: estimated(asked), output: estimated(textOf(record)) }
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
