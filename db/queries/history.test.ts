import { type SQL, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { useDatabase } from '../../test/helpers/in-process-database.ts'
import { seedInference } from '../../test/helpers/seed.ts'
import type { Database } from '../client.ts'
import { type HistoryQuery, readHistory } from './history.ts'

const db = useDatabase()
const OWNER = '0x00000000000000000000000000000000000000b1'
const PURCHASES = 600
const PAGE: HistoryQuery = { owner: OWNER, chainId: 84532, limit: 20 }

interface PlanNode {
  'Node Type': string
  'Subplan Name'?: string | undefined
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number | undefined
  Plans?: PlanNode[] | undefined
}
const nodeSchema: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Subplan Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  Plans: z.array(z.lazy(() => nodeSchema)).optional(),
})
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: nodeSchema })]) })])

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Rows that were read from tables and indexes to find the purchases of a page. What reads the page's rows then is not counted. */
function rowsRead(plan: PlanNode): number {
  const search = nodesOf(plan).find((node) => node['Subplan Name'] === 'CTE scanned')
  if (search === undefined) throw new Error('the plan has no part that finds the purchases')
  const scans = nodesOf(search).filter((node) => /^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type']))
  return scans
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, count) => sum + count, 0)
}

async function rowsReadBy(query: HistoryQuery): Promise<number> {
  let count = 0
  const counting: Database = {
    ...db.database,
    async run(statement: SQL) {
      const rows = await db.database.run(sql`explain (analyze, format json) ${statement}`)
      count += rowsRead(explained.parse(rows)[0]['QUERY PLAN'][0].Plan)
      return []
    },
  }
  await readHistory(counting, query)
  return count
}

it('behavior: a page reads a few rows for each purchase, however many there are', async () => {
  await seedInference(db.database, { owner: OWNER, createdAt: '2026-11-01T00:00:00Z' })
  // Copies of that purchase, a second after each other.
  await db.database.run(sql`insert into inferences select (jsonb_populate_record(i, jsonb_build_object('id', md5('i' || n)::uuid,
    'payment_tx_hash', '0x' || md5('h' || n) || md5('h' || n), 'created_at', i.created_at + n * interval '1 second'))).*
    from inferences i, generate_series(1, ${PURCHASES}::int) n`)
  await db.database.run(sql`insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', md5('p' || n)::uuid,
    'inference_id', md5('i' || n)::uuid, 'nonce', '0x' || md5('n' || n) || md5('n' || n), 'tx_hash', '0x' || md5('h' || n) || md5('h' || n),
    'created_at', p.created_at + n * interval '1 second'))).* from payments p, generate_series(1, ${PURCHASES}::int) n`)
  for (const table of ['inferences', 'payments', 'payment_keys']) await db.database.run(sql.raw(`analyze ${table}`))

  const { items, next } = await readHistory(db.database, PAGE)
  expect(items).toHaveLength(20)
  expect(await rowsReadBy(PAGE)).toBeLessThan(100)
  expect(await rowsReadBy({ ...PAGE, status: 'succeeded' })).toBeLessThan(100)
  expect(await rowsReadBy({ ...PAGE, ...(next === null ? {} : { after: next }) })).toBeLessThan(100)
})

it('error: G3 a search reads 1,000 letters of a prompt, for a second at most', async () => {
  const sent: string[] = []
  const noting: Database = {
    ...db.database,
    batch: async (statements, options) => {
      sent.push(JSON.stringify(statements[0]))
      return db.database.batch(statements, options)
    },
  }
  const owner = '0x00000000000000000000000000000000000000b2'
  await seedInference(db.database, { owner, createdAt: '2026-11-01T00:00:00Z' })
  const text = 'needle'
  const put = (prompt: string) =>
    db.database.run(
      sql`update inferences set input = jsonb_build_object('prompt', ${prompt}::text) where user_address = ${owner}`,
    )
  const found = async (): Promise<number> => {
    const query = { ...PAGE, owner, search: { text, fields: ['prompt'] } }
    return (await readHistory(noting, query)).items.length
  }
  await put(`${'x'.repeat(900)}${text}`)
  expect(await found()).toBe(1)
  await put(`${'x'.repeat(1_000)}${text}`)
  expect(await found()).toBe(0)
  expect(sent.every((statement) => statement.includes("statement_timeout = '1s'"))).toBe(true)
})
