import type { InferenceRecord } from '../../db/queries/inference-row.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import { toBase64 } from '../../protocol/base64.ts'
import type { RequestDeps } from '../context.ts'
import { metricsOf, storedKey } from '../inference/views/present.ts'
import { readBytes } from '../lib/http.ts'
import { StorageUnavailable, type StoredFile } from '../storage/object-store.ts'
import { tokenLimitOf } from './model-inputs.ts'
import { cutAtStop } from './stops.ts'

const MAX_IMAGE_BYTES = 16 * 1024 * 1024
const CHARACTERS_PER_TOKEN = 4

/** Unix seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** One stored file of a purchase. Throws `StorageUnavailable`. */
export async function openStored({ store }: RequestDeps, payment: Payment, url: string): Promise<StoredFile> {
  const file = await store.open(storedKey(payment, url))
  if (file === null) throw new StorageUnavailable('a stored file is gone')
  return file
}

/** The body of `POST /v1/images/generations`. Throws `StorageUnavailable`. */
export async function imageAnswer(deps: RequestDeps, payment: Payment, record: InferenceRecord, isBase64: boolean) {
  const data: ({ url: string } | { b64_json: string })[] = []
  // One after the other: each picture is held in memory whole.
  for (const url of urlsOf(record)) data.push(isBase64 ? { b64_json: await base64Of(deps, payment, url) } : { url })
  return { created: secondsOf(record.createdAt), data, metrics: metricsOf(payment, record) }
}

async function base64Of(deps: RequestDeps, payment: Payment, url: string): Promise<string> {
  const { body } = await openStored(deps, payment, url)
  return toBase64(await readBytes(body, MAX_IMAGE_BYTES))
}

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

/** What an answer in text needs of its call. */
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
