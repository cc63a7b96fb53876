import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { at } from '../statement.ts'

/** Months after the present one that have a partition ahead of time. */
const MONTHS_AHEAD = 2

const utcDay = (now: Date) => sql`(${at(now)} at time zone 'UTC')::date`

/** Makes the journal's partitions of this month and the next two where they are missing; returns how many it made. */
export async function makeMonths(database: Database, now: Date): Promise<number> {
  const [row] = await database.run(sql`select make_payment_months(${utcDay(now)}, ${MONTHS_AHEAD}::int) as made`)
  return Number(row?.['made'])
}

const monthsRow = once(() => z.object({ missing: z.array(z.string()), outside: z.number() }))

/**
 * The months from the present one on that have no partition, e.g. `2027_03`, and how many payments are in none. One payment there is
 * enough to keep its month from being made.
 */
export async function readMonths(database: Database, now: Date): Promise<z.infer<ReturnType<typeof monthsRow>>> {
  const [row] = await database.run(
    sql`select (select count(*)::int from (select 1 from payments_default limit 1000) d) as outside,
      (select coalesce(jsonb_agg(to_char(month, 'YYYY_MM') order by month), '[]') from generate_series(date_trunc('month', ${utcDay(now)}::timestamp),
          date_trunc('month', ${utcDay(now)}::timestamp) + make_interval(months => ${MONTHS_AHEAD}::int), interval '1 month') month
        where month::date >= payments_first_month() and to_regclass('payments_' || to_char(month, 'YYYY_MM')) is null) as missing`,
    { readOnly: true },
  )
  return monthsRow().parse(row)
}
