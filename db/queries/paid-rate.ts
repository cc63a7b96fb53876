import { type SQL, sql } from 'drizzle-orm'
import { at } from '../statement.ts'

/** The window of the paid limit. */
export const PAID_WINDOW_MS = 60_000

const since = (now: Date): SQL => at(new Date(now.getTime() - PAID_WINDOW_MS))

/** Lets one transaction at a time count a wallet's payments. It must be a statement by itself, before the one that counts. */
export const lockPayer = (payer: string): SQL => sql`select pg_advisory_xact_lock(hashtextextended(${payer}, 0))`

/** Selects `used`, what the wallet paid or sent again within the window, and `oldest`, the time of the first of these. */
export const recentlyPaid = (payer: string, now: Date): SQL =>
  sql`select count(*)::int as used, min(t) as oldest from paid_rates r, unnest(r.recent) t
    where r.payer = ${payer} and t > ${since(now)}`

/** Counts one payment for each row of `source`, such as `from verdict where …`. */
export const countPaid = (payer: string, now: Date, source: SQL): SQL =>
  sql`insert into paid_rates (payer, recent) select ${payer}, array[${at(now)}] ${source}
    on conflict (payer) do update set recent =
      array_append(array(select t from unnest(paid_rates.recent) t where t > ${since(now)}), ${at(now)})`
