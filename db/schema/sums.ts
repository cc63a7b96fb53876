import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, numeric, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

const count = (name: string) => bigint(name, { mode: 'bigint' }).notNull().default(sql`0`)

/**
 * Running sums per model, so that means and statistics cost the same at any table size. Each sum is the total of up to 16 rows, so
 * that purchases at the same time do not wait for one row; `db/queries/sums.ts` chooses a row and adds them up. A row may be negative.
 */
export const modelSumParts = pgTable(
  'model_sum_parts',
  {
    model: text('model').notNull(),
    part: smallint('part').notNull(),
    succeeded: count('succeeded'),
    failed: count('failed'),
    /** Succeeded runs with a time above zero, and the sum of their times. */
    timed: count('timed'),
    predictTimeMs: count('predict_time_ms'),
  },
  (t) => [primaryKey({ columns: [t.model, t.part] })],
)

/** Runs that ended on a UTC day. */
export const daySumParts = pgTable(
  'day_sum_parts',
  { day: date('day').notNull(), part: smallint('part').notNull(), runs: count('runs') },
  (t) => [primaryKey({ columns: [t.day, t.part] })],
)

/** Atomic units settled per asset. */
export const assetSumParts = pgTable(
  'asset_sum_parts',
  {
    chainId: integer('chain_id').notNull(),
    asset: text('asset').notNull(),
    part: smallint('part').notNull(),
    amount: numeric('amount', { precision: 78, scale: 0 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.asset, t.part] })],
)

/** The provider's answer about a model when the scheduled job last asked; all isolates share it. */
export const modelChecks = pgTable('model_checks', {
  model: text('model').primaryKey(),
  isThere: boolean('is_there').notNull(),
  /** False when it takes other inputs, so that a run of what we sell would fail. */
  fits: boolean('fits').notNull().default(true),
  checkedAt: instant('checked_at').notNull(),
})
