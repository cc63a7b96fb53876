import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'

const rowSchema = z.object({
  model: z.string(),
  timed: z.string().transform(BigInt),
  predict_time_ms: z.string().transform(BigInt),
})

/** Sum and count of every model's succeeded, timed runs: one short row per model, whatever the number of runs. */
export async function readModelSums(
  database: Database,
): Promise<ReadonlyMap<string, { sumMs: bigint; count: bigint }>> {
  const rows = await database.run(
    sql`select model, timed::text as timed, predict_time_ms::text as predict_time_ms from model_sums`,
    { readOnly: true },
  )
  return new Map(
    rows.map((row) => {
      const { model, timed, predict_time_ms } = rowSchema.parse(row)
      return [model, { sumMs: predict_time_ms, count: timed }]
    }),
  )
}
