import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { fillJournal, makeMonthsUnderLoad } from '../helpers/months-under-load.ts'
import { startPostgres } from '../helpers/postgres.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.close())
const ROWS = 1_000_000
const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''

/** Bytes of a payment's row and of its key, indexes included, and how long a lookup by authorization is planned with 36 more months. */
async function sizesOf(url: string): Promise<{ paymentBytes: number; keyBytes: number; planningMs: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const sizes = await client.query<{ payment: number; key: number }>(`select
    (select pg_total_relation_size(relname::regclass) / ${ROWS}.0 from pg_class where relname ~ '^payments_before_' and relkind = 'r')::float as payment,
    pg_total_relation_size('payment_keys')::float / ${ROWS} as key`)
  const plan = `explain (analyze, format json) select p.* from payment_keys k
    join payments p on p.id = k.payment_id and p.created_at = k.created_at
    where k.chain_id = 8453 and k.asset = '' and k.payer = '' and k.nonce = ''`
  const times: number[] = []
  for (let count = 0; count < 21; count++) {
    const { rows } = await client.query(plan)
    times.push(Number(rows[0]['QUERY PLAN'][0]['Planning Time']))
  }
  await client.end()
  const [row] = sizes.rows
  return { paymentBytes: row?.payment ?? 0, keyBytes: row?.key ?? 0, planningMs: times.sort((a, b) => a - b)[10] ?? 0 }
}

it.skipIf(postgres === null)(
  `behavior: 36 new months beside 1,000,000 payments, no purchase fails or waits${remark}`,
  async () => {
    const url = postgres?.url ?? ''
    await fillJournal(url, ROWS)
    const figures = await makeMonthsUnderLoad(url, 36)
    const { failed, ...rest } = { ...figures, ...(await sizesOf(url)) }
    console.log(
      'the journal by month:',
      Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, Math.round(v * 10) / 10])),
    )
    expect(failed).toEqual([])
    expect(figures.purchases).toBeGreaterThan(10)
    expect(figures.slowestMs).toBeLessThan(1_000)
  },
  600_000,
)
