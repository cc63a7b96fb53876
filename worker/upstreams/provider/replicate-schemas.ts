import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { excerpt } from '../../lib/text.ts'
import type { Prediction } from './provider.ts'

const MAX_INT4 = 2_147_483_647

const tokenCount = () => z.int().min(0).max(MAX_INT4).nullish().catch(null)

/** Only what a run cannot be followed without is demanded; an optional field of another shape is ignored. */
export const predictionSchema = once(() =>
  z.object({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    status: z.string(),
    output: z.unknown().optional(),
    error: z.unknown().optional(),
    logs: z.string().nullish().catch(null),
    metrics: z
      .object({
        predict_time: z.number().nullish().catch(null),
        input_token_count: tokenCount(),
        output_token_count: tokenCount(),
      })
      .nullish()
      .catch(null),
    webhook: z.string().nullish().catch(null),
    created_at: z.string().nullish().catch(null),
    data_removed: z.boolean().nullish().catch(null),
  }),
)

/** A page of `GET /predictions`. A run that cannot be read might be the one looked for, so it spoils the page. */
export const pageSchema = once(() => z.object({ next: z.string().nullish(), results: z.array(predictionSchema()) }))

/** A version of a model. What it takes and answers is in `openapi_schema`. */
export const versionSchema = once(() =>
  z.object({
    openapi_schema: z
      .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
      .nullish()
      .catch(null),
  }),
)
export const modelSchema = once(() => z.object({ latest_version: versionSchema().nullish() }))

/** The schemas by name; none where the provider does not show them. */
export const schemasOf = (
  version: z.infer<ReturnType<typeof versionSchema>> | null | undefined,
): Record<string, unknown> => version?.openapi_schema?.components.schemas ?? {}

const STATUSES: Record<string, Prediction['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  aborted: 'failed',
}

/** A run as the purchase knows it. A status that is new to us is taken as running; the purchase has its own deadline. */
export const toPrediction = (raw: z.infer<ReturnType<typeof predictionSchema>>): Prediction => ({
  id: raw.id,
  status: STATUSES[raw.status] ?? 'running',
  rawStatus: excerpt(raw.status),
  output: raw.output ?? null,
  error: wordsOf(raw.error),
  lastLog: lastLine(raw.logs),
  predictTimeMs: toMs(raw.metrics?.predict_time),
  tokens: toTokens(raw.metrics?.input_token_count, raw.metrics?.output_token_count),
  webhook: raw.webhook ?? null,
  createdAt: toDate(raw.created_at),
  dataRemoved: raw.data_removed ?? false,
})

function wordsOf(error: unknown): string | null {
  if (error === null || error === undefined || error === '') return null
  return excerpt(typeof error === 'string' ? error : JSON.stringify(error))
}

function lastLine(logs: string | null | undefined): string | null {
  const line = excerpt(logs?.trimEnd().split('\n').at(-1) ?? '')
  return line === '' ? null : line
}

/** Rounded once, here, from the provider's float; a time that fits no column is ignored. */
function toMs(seconds: number | null | undefined): number | null {
  const ms = Math.round((seconds ?? Number.NaN) * 1000)
  return ms >= 0 && ms <= MAX_INT4 ? ms : null
}

const toTokens = (input: number | null | undefined, output: number | null | undefined): Prediction['tokens'] =>
  input == null || output == null ? null : { input, output }

function toDate(text: string | null | undefined): Date | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms)
}
