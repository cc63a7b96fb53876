import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Running sums per model, so that means and statistics cost the same at any table size. */
export const modelSums = pgTable('model_sums', {
  model: text('model').primaryKey(),
  succeeded: bigint('succeeded', { mode: 'bigint' }).notNull().default(sql`0`),
  failed: bigint('failed', { mode: 'bigint' }).notNull().default(sql`0`),
  /** Succeeded runs with a time above zero, and the sum of their times. */
  timed: bigint('timed', { mode: 'bigint' }).notNull().default(sql`0`),
  predictTimeMs: bigint('predict_time_ms', { mode: 'bigint' }).notNull().default(sql`0`),
})

/** What the provider said of a model when the scheduled job last asked; all isolates share it. */
export const modelChecks = pgTable('model_checks', {
  model: text('model').primaryKey(),
  isThere: boolean('is_there').notNull(),
  /** False when it takes other inputs, so that a run of what we sell would fail. */
  fits: boolean('fits').notNull().default(true),
  checkedAt: instant('checked_at').notNull(),
})

/** Runs that ended on a UTC day. */
export const daySums = pgTable('day_sums', {
  day: date('day').primaryKey(),
  runs: bigint('runs', { mode: 'bigint' }).notNull().default(sql`0`),
})

/** Atomic units settled per asset. */
export const assetSums = pgTable(
  'asset_sums',
  {
    chainId: integer('chain_id').notNull(),
    asset: text('asset').notNull(),
    amount: numeric('amount', { precision: 78, scale: 0 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.asset] })],
)
