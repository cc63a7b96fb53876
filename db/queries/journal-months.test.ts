import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillJournal, makeMonthsUnderLoad } from '../../test/helpers/months-under-load.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { makePgDatabase, type PgDatabase } from '../pg.ts'
import { makeMonths, readMonths } from './journal-months.ts'
import { findByAuthorization, findByInferenceId } from './payment-leases.ts'

const postgres = await startPostgres()
const url = postgres?.url ?? ''
const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''

describe.skipIf(postgres === null)(`the journal by month${remark}`, () => {
  let client: pg.Client
  let database: PgDatabase
  const rows = async (text: string) => (await client.query(text)).rows

  beforeAll(async () => {
    await fillJournal(url, 12_000)
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      'create role helper; grant select, insert, update, delete on all tables in schema public to helper',
    )
    database = makePgDatabase(url)
  })
  afterAll(async () => {
    await Promise.all([client?.end(), database?.close()])
    await postgres?.close()
  })

  it('behavior: no purchase fails while months are made, and each payment has its key', async () => {
    const { failed, purchases } = await makeMonthsUnderLoad(url, 24)
    expect(failed).toEqual([])
    expect(purchases).toBeGreaterThan(10)
    const keys = 'chain_id, asset, payer, nonce, tx_hash, inference_id, created_at'
    expect(
      await rows(`(select id, ${keys} from payments except select payment_id, ${keys} from payment_keys)
        union all (select payment_id, ${keys} from payment_keys except select id, ${keys} from payments)`),
    ).toEqual([])
  })

  it('behavior: a payment is found by its authorization and by its inference', async () => {
    const [old] = await rows('select * from payments order by created_at limit 1')
    const found = await findByAuthorization(database, { ...old, chainId: old.chain_id })
    expect(found?.id).toBe(old.id)
    expect((await findByInferenceId(database, old.inference_id))?.record?.id).toBe(old.inference_id)
  })

  it('error: 23505 for a key that another month has; the runbook moves a stray payment', async () => {
    const later = (change: string) =>
      client.query(
        `insert into payments select (jsonb_populate_record(p, ${change} || '{"created_at": "2999-01-01"}')).* from payments p limit 1`,
      )
    const fresh = `jsonb_build_object('id', gen_random_uuid(), 'nonce', '1', 'tx_hash', '1', 'inference_id', gen_random_uuid())`
    for (const key of ['id', 'nonce', 'tx_hash', 'inference_id']) {
      await expect(later(`(${fresh} - '${key}')`)).rejects.toMatchObject({ code: '23505' })
    }
    await later(fresh)
    expect(await readMonths(database, new Date())).toMatchObject({ outside: 1 })
    const runbook = await readFile(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
    await client.query(/```sql\n(begin;\n[^`]*payments_default[^`]*)```/.exec(runbook)?.[1] ?? 'no such block')
    expect(await readMonths(database, new Date('2999-01-15'))).toEqual({ missing: [], outside: 0 })
    expect(await rows("select tableoid::regclass::text as month from payments where nonce = '1'")).toEqual([
      { month: 'payments_2999_01' },
    ])
    await client.query("delete from payments where nonce = '1'")
    expect(await rows("select 1 from payment_keys where nonce = '1'")).toEqual([])
  })

  it('behavior: one move reads one month, and each list has an index in every month', async () => {
    const plan = async (text: string): Promise<string> =>
      (await rows(`explain ${text}`)).map((row) => row['QUERY PLAN']).join('\n')
    const move = await plan(
      `update payments p set state = 'done' where p.id = gen_random_uuid() and p.created_at >= '2999-01-01'`,
    )
    expect(move).not.toContain('payments_before')
    await client.query('set enable_seqscan = off')
    for (const text of [
      `select * from payment_keys k join payments p on p.id = k.payment_id and p.created_at = k.created_at where k.inference_id = gen_random_uuid()`,
      `select * from payments where next_attempt_at <= now() order by next_attempt_at limit 20`,
      `select * from payments where payer = 'a' order by created_at desc limit 5`,
      `select * from payments where state = 'owed' order by created_at desc limit 5`,
      `select * from payments where state = 'settled' and provider_prediction_id = 'a'`,
    ]) {
      expect(await plan(text)).not.toContain('Seq Scan')
    }
    await client.query('reset enable_seqscan')
  })

  it('behavior: rights on the journal are enough for its months, which are made ahead, once', async () => {
    await client.query('set role helper')
    expect(await rows('select count(*)::int > 0 as some from payments')).toEqual([{ some: true }])
    await client.query('reset role')
    const later = new Date('2997-05-31T23:00:00Z')
    expect(await readMonths(database, later)).toMatchObject({ missing: ['2997_05', '2997_06', '2997_07'] })
    const made = await Promise.all([makeMonths(database, later), makeMonths(database, later)])
    expect(made.sort()).toEqual([0, 3])
    expect(await readMonths(database, later)).toEqual({ missing: [], outside: 0 })
    expect(await database.run(sql`select count(*)::int as n from payments where created_at >= '2997-05-01'`)).toEqual([
      { n: 0 },
    ])
  })
})
