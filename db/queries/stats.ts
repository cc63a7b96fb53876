import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../client.ts'
import { once } from '../once.ts'
import { assetTotals, dayTotals, modelTotals } from './sums.ts'

const LATEST_RUNS = 200
const DAYS = 30

const rows = once(() => {
  const count = z.string().transform(BigInt)
  return {
    model: z.object({
      model: z.string(),
      succeeded: count,
      failed: count,
      p50: z.number().nullable(),
      p95: z.number().nullable(),
    }),
    day: z.object({ day: z.string(), runs: count }),
    asset: z.object({ chain_id: z.number(), asset: z.string(), amount: count }),
    received: z.object({ amount: count }),
  }
})

export interface StatSums {
  /** Percentiles in ms over the latest 200 succeeded, timed runs; null without such runs. */
  models: { model: string; succeeded: bigint; failed: bigint; p50Ms: number | null; p95Ms: number | null }[]
  /** The latest 30 days that have runs, newest first; `day` is `YYYY-MM-DD`, UTC. */
  days: { day: string; runs: bigint }[]
  /** Settled, atomic units; `asset` is lower case. */
  assets: { chainId: number; asset: string; amountAtomic: bigint }[]
}

/** Everything the statistics show: running sums, and one indexed range per model. One round trip at any table size. */
export async function readStatSums(database: Database): Promise<StatSums> {
  const [models = [], days = [], assets = []] = await database.batch(
    [
      sql`select m.model, m.succeeded::text as succeeded, m.failed::text as failed, t.p50::int as p50, t.p95::int as p95
      from ${modelTotals} m cross join lateral (
        select percentile_disc(0.5) within group (order by ms) as p50, percentile_disc(0.95) within group (order by ms) as p95
        from (
          select i.predict_time_ms as ms from inferences i
          where i.model = m.model and i.status = 'succeeded' and i.predict_time_ms > 0
          order by i.completed_at desc limit ${LATEST_RUNS}::int
        ) latest
      ) t order by m.succeeded + m.failed desc, m.model`,
      sql`select day::text as day, runs::text as runs from ${dayTotals(DAYS)} d order by d.day desc`,
      sql`select chain_id, asset, amount::text as amount from ${assetTotals} a`,
    ],
    { readOnly: true },
  )
  return {
    models: models.map((row) => {
      const { p50, p95, ...sums } = rows().model.parse(row)
      return { ...sums, p50Ms: p50, p95Ms: p95 }
    }),
    days: days.map((row) => rows().day.parse(row)),
    assets: assets.map((row) => {
      const { chain_id, asset, amount } = rows().asset.parse(row)
      return { chainId: chain_id, asset, amountAtomic: amount }
    }),
  }
}

/**
 * All of `asset` that settled payments on a chain have brought in so far, atomic units. The dev chain's payments without a
 * facilitator have an id in place of a hash and moved nothing.
 */
export async function readReceived(database: Database, chainId: number, asset: string): Promise<bigint> {
  const [row] = await database.run(
    sql`select coalesce(sum(amount), 0)::text as amount from payments
      where chain_id = ${chainId}::int and asset = ${asset.toLowerCase()}
        and state in ('settled', 'done', 'owed') and tx_hash like '0x%'`,
    { readOnly: true },
  )
  return rows().received.parse(row).amount
}
