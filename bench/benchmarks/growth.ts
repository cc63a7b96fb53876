import { type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import type { Database } from '../../db/client.ts'
import { makeNeonDatabase } from '../../db/neon.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import type { Benchmark, Figure } from '../benchmark.ts'
import { fill } from '../growth/generate.ts'
import { QUERIES } from '../growth/queries.ts'
import { median, times } from '../measure/stats.ts'
import { startStubProcess } from '../stubs/start.ts'

const MOST_GROWTH = 1.3
const MOST_HISTORY_MS = 15

/** Median milliseconds of each query, by its name. */
type Timings = Record<string, number>

export const growth: Benchmark = {
  name: 'growth',
  title: 'Growth of the database',
  async run({ quick, say, defer }) {
    const postgres = await startPostgres()
    if (postgres === null) throw new Error('PostgreSQL is not installed')
    defer(postgres.close)
    const sizes = quick ? [1_000, 5_000] : [1_000, 100_000, 1_000_000]
    const databases: Database[] = []
    for (const size of sizes) {
      const { database, stop } = await databaseOf(postgres.url, size)
      defer(stop)
      databases.push(database)
      say(`${size} purchases are there`)
    }
    const timings = await timeAll(databases, quick ? 20 : 300)
    const plans = await allPlans(databases.at(-1))
    say(`the plans at the last size:\n${textOf(plans)}`)
    return { figures: figuresOf(sizes, timings, plans), notes: notesOf(sizes) }
  },
}

/** A separate, filled database on the server, behind Neon's HTTP protocol. */
async function databaseOf(serverUrl: string, size: number) {
  const url = new URL(serverUrl)
  await withClient(serverUrl, (client) => client.query(`create database size_${size}`))
  url.pathname = `/size_${size}`
  const stubs = await startStubProcess({ fileBytes: 1024, kind: 'image', databaseUrl: url.href })
  await withClient(url.href, (client) => fill(client, size))
  return { database: makeNeonDatabase({ databaseUrl: url.href, httpUrl: stubs.databaseHttpUrl }), stop: stubs.stop }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Runs each query on each database in turn, so that other load on the machine affects all sizes alike. */
async function timeAll(databases: readonly Database[], runs: number): Promise<Timings[]> {
  const timings: Timings[] = databases.map(() => ({}))
  for (const [name, query] of Object.entries(QUERIES)) {
    const samples: number[][] = databases.map(() => [])
    // The first fifth warms up.
    for (let run = 0; run < runs * 1.2; run += 1) {
      for (const [index, database] of databases.entries()) {
        const began = performance.now()
        await query(database)
        if (run >= runs / 5) samples[index]?.push(performance.now() - began)
      }
    }
    for (const [index, timing] of timings.entries()) timing[name] = median(samples[index] ?? [])
  }
  return timings
}

type Plans = Record<string, string[]>

async function allPlans(database: Database | undefined): Promise<Plans> {
  const plans: Plans = {}
  if (database === undefined) return plans
  for (const [name, query] of Object.entries(QUERIES)) plans[name] = await plansOf(database, query)
  return plans
}

function figuresOf(sizes: readonly number[], timings: readonly Timings[], plans: Plans): Figure[] {
  const figures = Object.keys(QUERIES).map((name): Figure => {
    const each = timings.map((timing) => timing[name] ?? Number.NaN)
    const [first = Number.NaN, last = Number.NaN] = [each[0], each.at(-1)]
    const worst = Math.max(...each.map((value) => value / first))
    const isHistory = name.startsWith('history')
    return {
      figure: `${name}, ${sizes.map((size) => size.toLocaleString('en')).join(' / ')}`,
      ours: each.map((value) => `${value.toFixed(2)} ms`).join(' / '),
      ratio: times(worst),
      goal: isHistory ? `≤ ${MOST_GROWTH} ×, ≤ ${MOST_HISTORY_MS} ms` : `≤ ${MOST_GROWTH} ×`,
      met: worst <= MOST_GROWTH && (!isHistory || last <= MOST_HISTORY_MS),
    }
  })
  const scans = Object.entries(plans).filter(([, each]) => each.some(hasSequentialScan))
  const names = scans.map(([name]) => name).join(', ')
  return [
    ...figures,
    {
      figure: 'plans with a sequential scan of a table that grows',
      ours: names === '' ? 'none' : names,
      goal: 'none',
      met: scans.length === 0,
    },
  ]
}

const textOf = (plans: Plans): string =>
  Object.entries(plans)
    .map(([name, each]) => `${name}:\n${each.join('\n').replaceAll(/^/gm, '  ')}`)
    .join('\n\n')

const notesOf = (sizes: readonly number[]): string[] => [
  `PostgreSQL, the worker's own queries through Neon's HTTP protocol, one at a time, the databases in turn, filled by \`generate_series\` to ${sizes.map((size) => size.toLocaleString('en')).join(', ')} ended purchases of 10,001 wallets; every twentieth is the one whose history is read. Each time is a median. The price of an estimate is read from the models' running sums and kept in the isolate, so that a warm estimate asks the database nothing. The run prints the plans at the last size.`,
]

/**
 * Tables that grow with the number of purchases, read as a whole; the running sums have a row per model, day and asset. A month of
 * the journal that is still empty costs next to nothing.
 */
const GROWING =
  /Seq Scan on (inferences|payments|payment_keys|users|paid_rates|used_nonces)\w*(?: \w+)?\s+\(cost=[\d.]+\.\.(?!0\.\d\d )/

/** PostgreSQL's plans of every statement that `work` would run on the database. Nothing is executed. */
async function plansOf(database: Database, work: (explaining: Database) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const explain = async (statement: SQL): Promise<[]> => {
    const rows = await database.run(sql`explain ${statement}`)
    plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'))
    return []
  }
  const explaining: Database = {
    run: explain,
    async batch(statements) {
      const results: [][] = []
      for (const statement of statements) results.push(await explain(statement))
      return results
    },
  }
  // The query's handling of no rows does not matter here.
  await work(explaining).catch(() => undefined)
  if (plans.length === 0) throw new Error('no statement was run')
  return plans
}

const hasSequentialScan = (plan: string): boolean => GROWING.test(plan)
