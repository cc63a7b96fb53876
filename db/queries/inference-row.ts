import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { once } from '../once.ts'
import { inferenceStatus, outputType, taskType } from '../schema/columns.ts'

/** Built when the first row is read: an isolate that starts has no time for fifty schemas. */
const schemas = once(() => {
  const time = z.union([z.string(), z.date()]).transform((value) => new Date(value))
  const tokens = z.object({ input: z.number(), output: z.number() })
  const text = z.object({ text: z.string(), tokens: tokens.optional() })
  const stored = z.union([text, z.object({ urls: z.array(z.string()) })])
  const failure = z.object({ code: z.string(), detail: z.string() })
  const inference = z.object({
    id: z.string(),
    user_address: z.string(),
    task_type: z.enum(taskType.enumValues),
    model: z.string(),
    input: z.record(z.string(), z.unknown()),
    output_type: z.enum(outputType.enumValues),
    output_data: stored.nullable(),
    status: z.enum(inferenceStatus.enumValues),
    predict_time_ms: z.number().nullable(),
    estimated_cost_usdc: z.string(),
    actual_cost_usdc: z.string().nullable(),
    payment_tx_hash: z.string().nullable(),
    payment_chain_id: z.number().nullable(),
    created_at: time,
    completed_at: time.nullable(),
    error: failure.nullable(),
  })
  return { inference, columns: Object.keys(inference.shape) }
})

type InferenceRow = z.infer<ReturnType<typeof schemas>['inference']>

/** Output as stored and as answered. */
export type Output = { type: 'text'; text: string } | { type: 'image' | 'audio'; urls: string[] }

/** How many tokens a run read and wrote, as its provider counts them. */
export interface Tokens {
  input: number
  output: number
}

/** A row of `inferences`, decoded. */
export interface InferenceRecord {
  id: string
  userAddress: string
  task: 'text-to-image' | 'text-to-text' | 'text-to-sound'
  model: string
  input: Record<string, unknown>
  output: Output | null
  /** Null where the provider does not count, and of a run without text. */
  tokens: Tokens | null
  status: 'pending' | 'succeeded' | 'failed'
  predictTimeMs: number | null
  estimatedCostUsdc: string
  actualCostUsdc: string | null
  /** As stored; may carry `#logIndex`. */
  paymentTxHash: string | null
  paymentChainId: number | null
  createdAt: Date
  completedAt: Date | null
  error: InferenceRow['error']
}

const asText = new Set(['id', 'task_type', 'output_type', 'status', 'estimated_cost_usdc', 'actual_cost_usdc'])

/** The columns of `inferences` from a table or CTE, each as `i_<name>`. */
export function inferenceColumns(alias: string): SQL {
  return sql.raw(
    schemas()
      .columns.map((c) => `${alias}.${c}${asText.has(c) ? '::text' : ''} as i_${c}`)
      .join(', '),
  )
}

function readOutput(type: Output['type'], data: InferenceRow['output_data']): Output | null {
  if (data === null) return null
  if ('text' in data) return { type: 'text', text: data.text }
  return { type: type === 'text' ? 'image' : type, urls: data.urls }
}

/** Decodes the `i_…` columns of a row; null when the join found no record. */
export function readInference(row: Record<string, unknown>): InferenceRecord | null {
  if (row['i_id'] === null || row['i_id'] === undefined) return null
  return inferenceOf(Object.fromEntries(schemas().columns.map((c) => [c, row[`i_${c}`]])))
}

/** Decodes a row that a function of the database answers with; null without one. */
export function inferenceOf(row: unknown): InferenceRecord | null {
  if (row === null || row === undefined) return null
  const i = schemas().inference.parse(row)
  return {
    id: i.id,
    userAddress: i.user_address,
    task: i.task_type,
    model: i.model,
    input: i.input,
    output: readOutput(i.output_type, i.output_data),
    tokens: i.output_data !== null && 'text' in i.output_data ? (i.output_data.tokens ?? null) : null,
    status: i.status,
    predictTimeMs: i.predict_time_ms,
    estimatedCostUsdc: i.estimated_cost_usdc,
    actualCostUsdc: i.actual_cost_usdc,
    paymentTxHash: i.payment_tx_hash,
    paymentChainId: i.payment_chain_id,
    createdAt: i.created_at,
    completedAt: i.completed_at,
    error: i.error,
  }
}
