import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { paymentState } from '../schema/columns.ts'
import { modelTotals } from './sums.ts'

const rows = once(() => {
  const state = z.enum(paymentState.enumValues)
  const time = z.union([z.date(), z.string()]).transform((value) => new Date(value))
  return {
    count: z.object({ state, payments: z.string().transform(Number) }),
    oldest: z.object({ inference_id: z.string(), state, created_at: time }).optional(),
    due: z.object({ due: time.nullable() }).optional(),
  }
})

export interface JournalFigures {
  /** Payments per state; `done` are the succeeded runs that the running sums know of. */
  counts: Partial<Record<(typeof paymentState.enumValues)[number], number>>
  /** The oldest payment that has not come to an end. */
  oldest: { inferenceId: string; state: string; createdAt: Date } | null
  /** When the look that is due first was or will be due. */
  firstDue: Date | null
}

/** The journal's open work: one round trip over the indexes of unfinished rows, at any number of finished ones. */
export async function readJournalFigures(database: Database): Promise<JournalFigures> {
  const [counts = [], oldest = [], due = []] = await database.batch(
    [
      sql`select state::text as state, count(*)::text as payments from payments
        where state in ('claimed', 'settling', 'unknown', 'settled', 'owed', 'rejected') group by state
      union all select 'done', coalesce(sum(succeeded), 0)::text from ${modelTotals} m`,
      sql`select inference_id, state::text as state, created_at from payments
        where state in ('claimed', 'settling', 'unknown', 'settled') order by created_at limit 1`,
      sql`select min(next_attempt_at) as due from payments where next_attempt_at is not null`,
    ],
    { readOnly: true },
  )
  const first = rows().oldest.parse(oldest[0])
  return {
    counts: Object.fromEntries(
      counts.map((row) => rows().count.parse(row)).map(({ state, payments }) => [state, payments]),
    ),
    oldest:
      first === undefined ? null : { inferenceId: first.inference_id, state: first.state, createdAt: first.created_at },
    firstDue: rows().due.parse(due[0])?.due ?? null,
  }
}

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await database.run(sql`select 1`, { readOnly: true })
}
