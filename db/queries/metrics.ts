import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { paymentState } from '../schema/columns.ts'
import { modelTotals } from './sums.ts'

const stateSchema = z.enum(paymentState.enumValues)
const time = z.union([z.date(), z.string()]).transform((value) => new Date(value))
const countRow = z.object({ state: stateSchema, payments: z.string().transform(Number) })
const oldestRow = z.object({ inference_id: z.string(), state: stateSchema, created_at: time })
const dueRow = z.object({ due: time.nullable() })

export interface JournalFigures {
  /** Payments per state; `done` are the succeeded runs that the running sums know of. */
  counts: Partial<Record<z.infer<typeof stateSchema>, number>>
  /** The oldest payment that has not come to an end. */
  oldest: { inferenceId: string; state: string; createdAt: Date } | null
  /** When the look that is due first was or will be due. */
  firstDue: Date | null
}

/** What the journal has to do: one round trip over the indexes of unfinished rows, at any number of finished ones. */
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
  const first = oldestRow.optional().parse(oldest[0])
  return {
    counts: Object.fromEntries(
      counts.map((row) => countRow.parse(row)).map(({ state, payments }) => [state, payments]),
    ),
    oldest:
      first === undefined ? null : { inferenceId: first.inference_id, state: first.state, createdAt: first.created_at },
    firstDue: dueRow.optional().parse(due[0])?.due ?? null,
  }
}

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await database.run(sql`select 1`, { readOnly: true })
}
