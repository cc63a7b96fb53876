import * as z from 'zod'
import { sharePostgres } from '../../test/helpers/postgres.ts'
import { startTestStack, type TestStack } from '../../test/helpers/stack.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { buyAll, ordersOf } from '../measure/orders.ts'
import { ownMs, stepsTable, type Timing } from '../measure/server-timing.ts'
import { percentile } from '../measure/stats.ts'

const BUYERS = 20
const AT_ONCE = 20
/** 500 purchases in all. One at a time each takes as long as its model, so there are fewer of these. */
const PURCHASES = { alone: 200, atOnce: 300 }
const MOST_P50_MS = 15
const MOST_P95_MS = 40

export const ownTime: Benchmark = {
  name: 'own-time',
  title: 'Own time of a purchase on the whole local stack',
  async run({ quick, say, defer }) {
    const stopPostgres = await sharePostgres()
    if (stopPostgres === undefined) throw new Error('PostgreSQL is not installed')
    defer(stopPostgres)
    const stack = await startTestStack({ buyers: BUYERS })
    defer(stack.stop)
    const buyers = await Promise.all(stack.info.buyers.map((_, index) => stack.signedIn(index)))
    const { alone, atOnce: together } = quick ? { alone: 40, atOnce: 40 } : PURCHASES
    await buyAll(await ordersOf(buyers, quick ? 20 : 100, 'warm'), AT_ONCE)
    const ways = new Map<string, readonly Timing[]>()
    for (const atOnce of [1, AT_ONCE]) {
      const purchases = atOnce === 1 ? alone : together
      const name = atOnce === 1 ? 'one at a time' : `${atOnce} at once`
      // Signed for each way: an open quote expires after ten minutes.
      const { timings } = await buyAll(await ordersOf(buyers, purchases, `way of ${atOnce}`), atOnce)
      ways.set(name, await withRuns(stack, timings))
      say(`${purchases} purchases, ${name}`)
    }
    return {
      figures: [...ways].map(([name, timings], index) => figureOf(name, timings, index === 0)),
      notes: [
        `${alone} purchases of texts one at a time and ${together} with ${AT_ONCE} at once, by ${BUYERS} wallets, on the stack of \`npm start\` with PostgreSQL and without rate limits. The times are those of \`Server-Timing\` in the answers, in whole milliseconds. Own time is the whole call without the facilitator, the reads of the chain and the model’s run, as the provider reports it; it contains the database and what the worker waits between two polls after the run has ended. Steps that overlap are subtracted twice. \`Server-Timing\` does not separate the facilitator from the chain behind it. The database is PostgreSQL behind Neon’s HTTP protocol on the same machine, which plans each statement for every call, as Neon does.`,
        stepsTable(ways),
      ],
    }
  },
}

/** Adds as `run` how long the provider says that the model ran, which the purchase's record keeps. */
async function withRuns(stack: TestStack, timings: ReadonlyMap<string, Timing>): Promise<Timing[]> {
  const rows = z.array(z.object({ id: z.string(), predict_time_ms: z.number() })).parse(await stack.rows('inferences'))
  const runs = new Map(rows.map(({ id, predict_time_ms }) => [id, predict_time_ms]))
  return [...timings].map(([id, timing]) => new Map([...timing, ['run', runs.get(id) ?? 0]]))
}

/** Only calls one at a time have a goal: at once, each waits for the processor time of the others. */
function figureOf(name: string, timings: readonly Timing[], hasGoal: boolean): Figure {
  const own = timings.map(ownMs)
  const [p50, p95] = [percentile(own, 50), percentile(own, 95)]
  return {
    figure: `beyond chain and model, ${name}, p50 and p95`,
    ours: `${p50} and ${p95} ms`,
    goal: hasGoal ? `≤ ${MOST_P50_MS} and ≤ ${MOST_P95_MS} ms` : '–',
    met: hasGoal ? p50 <= MOST_P50_MS && p95 <= MOST_P95_MS : null,
  }
}
