import { type SQL, sql } from 'drizzle-orm'

/** One row per model. */
export const modelTotals = sql`(select model, sum(succeeded)::bigint as succeeded, sum(failed)::bigint as failed,
  sum(timed)::bigint as timed, sum(predict_time_ms)::bigint as predict_time_ms
  from model_sum_parts group by model)`

/** Totals of the latest `days` days that have runs, newest first. */
export const dayTotals = (days: number): SQL => sql`(select day, sum(runs)::bigint as runs
  from day_sum_parts group by day having sum(runs) <> 0 order by day desc limit ${days}::int)`

/** Totals of what was settled, one row per asset. */
export const assetTotals = sql`(select chain_id, asset, sum(amount) as amount
  from asset_sum_parts group by chain_id, asset)`
