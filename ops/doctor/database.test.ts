import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestConfig } from '../../test/helpers/config.ts'
import { startTestDatabase, type TestDatabase } from '../../test/helpers/database.ts'
import { checkDatabase } from './database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await startTestDatabase()
})
afterAll(() => db.close())

// The database has one connection, so that what one statement sets holds for the next.
async function run(...statements: string[]): Promise<void> {
  for (const statement of statements) await db.database.run(sql.raw(statement))
}
const found = () => {
  const config = makeTestConfig({ databaseUrl: db.databaseUrl, databaseHttpUrl: db.httpUrl })
  return checkDatabase({ config, fetch, now: () => new Date(), newId: () => 'x' })
}

test('default: a database that answers, has all migrations and takes writes is green', async () => {
  expect(await found()).toMatchObject([{ status: 'ok' }, { status: 'ok' }, { status: 'ok' }])
})

test('error: one that takes no writes is not green', async () => {
  await run('set default_transaction_read_only = on')
  expect(await found()).toMatchObject([
    { status: 'fail', detail: 'it takes no writes' },
    { status: 'ok' },
    { status: 'ok' },
  ])
  await run('set default_transaction_read_only = off')
})

test('error: a role that may only read is not green', async () => {
  await run(
    'create role reader',
    'grant usage on schema public, drizzle to reader',
    'grant select on all tables in schema public, drizzle to reader',
    'grant insert, update, delete on users to reader',
    'set role reader',
  )
  const [database] = await found()
  await run('reset role')
  expect(database).toMatchObject({ status: 'fail', detail: expect.stringContaining('payments') })
  expect(database?.detail).not.toContain('users')
})

test('error: a month of the journal without a partition is not green, nor a payment in none', async () => {
  const months = sql`select min(relname)::text as name from pg_class where relispartition and relkind = 'r' and relname ~ '^payments_20'`
  const [first] = await db.database.run(months)
  const name = String(first?.['name'])
  await run(`drop table ${name}`)
  const journal = async () => (await found()).find(({ check }) => check === 'journal')
  expect(await journal()).toMatchObject({
    status: 'fail',
    detail: `no partition for ${name.slice('payments_'.length)}`,
  })
  await run(
    `insert into payments_default (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
      signature_recovered, state, object_key, inference_id, created_at, updated_at)
    values (gen_random_uuid(), 1, '', '', '', 1, '{}', '', '{}', '{}', '', true, 'done', '', gen_random_uuid(), '2099-01-01', now())`,
  )
  expect(await journal()).toMatchObject({ status: 'fail', detail: 'payments_default has payments' })
})
