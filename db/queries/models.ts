import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { at } from '../statement.ts'
import { modelTotals } from './sums.ts'

const sum = z.string().transform(BigInt)
const modelRow = z.object({
  model: z.string(),
  timed: sum,
  predict_time_ms: sum,
  is_there: z.boolean().nullable(),
  fits: z.boolean().nullable(),
  checked_ms: sum.nullable(),
})

/** Facts about a model beyond the catalogue. */
export interface KnownModel {
  /** Of its succeeded, timed runs. */
  sumMs: bigint
  count: bigint
  /** Whether the provider had it and it takes our input, and when the provider was asked; null when it never was. */
  check: { isThere: boolean; fits: boolean; checkedAt: Date } | null
}

/** Sums of every model's runs, and the provider's last word on it: a few short rows per model, whatever the number of runs. */
export async function readModels(database: Database): Promise<ReadonlyMap<string, KnownModel>> {
  const rows = await database.run(
    sql`select model, coalesce(s.timed, 0)::text as timed, coalesce(s.predict_time_ms, 0)::text as predict_time_ms,
      c.is_there, c.fits, (extract(epoch from c.checked_at) * 1000)::bigint::text as checked_ms
    from ${modelTotals} s full join model_checks c using (model)`,
    { readOnly: true },
  )
  return new Map(
    rows.map((row) => {
      const { model, timed, predict_time_ms, is_there, fits, checked_ms } = modelRow.parse(row)
      const checkedAt = new Date(Number(checked_ms))
      const check = is_there === null || fits === null ? null : { isThere: is_there, fits, checkedAt }
      return [model, { sumMs: predict_time_ms, count: timed, check }]
    }),
  )
}

/** Keeps whether the provider has a model, and whether it takes what we send. */
export async function recordModelCheck(
  database: Database,
  { model, isThere, fits, now }: { model: string; isThere: boolean; fits: boolean; now: Date },
): Promise<void> {
  await database.run(sql`insert into model_checks (model, is_there, fits, checked_at)
    values (${model}, ${String(isThere)}::boolean, ${String(fits)}::boolean, ${at(now)})
    on conflict (model) do update set is_there = excluded.is_there, fits = excluded.fits, checked_at = excluded.checked_at`)
}
