import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMonths } from '../../db/queries/journal-months.ts'
import { makeTestConfig } from '../../test/helpers/config.ts'
import { startTestDatabase, type TestDatabase } from '../../test/helpers/database.ts'
import { checkDatabase } from './database.ts'

const NOW = new Date('2035-06-30T23:59:59Z')

let db: TestDatabase
beforeAll(async () => {
  db = await startTestDatabase()
  await makeMonths(db.database, NOW)
})
afterAll(() => db.close())

// The database has one connection, so that what one statement sets holds for the next.
async function run(...statements: string[]): Promise<void> {
  for (const statement of statements) await db.database.run(sql.raw(statement))
}
const found = () => {
  const config = makeTestConfig({ databaseUrl: db.databaseUrl, databaseHttpUrl: db.httpUrl })
  return checkDatabase({ config, fetch, now: () => NOW, newId: () => 'x' })
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

test('error: G8 a role that may write the tables and not make their months is not green', async () => {
  await run(
    'create role writer',
    'grant usage on schema public, drizzle to writer',
    'grant select, insert, update, delete on all tables in schema public, drizzle to writer',
    'set role writer',
  )
  const refused = await found()
  await run('reset role', 'grant execute on all functions in schema public to writer', 'set role writer')
  const granted = await found()
  await run('reset role')
  expect(refused[0]).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/may not call claim_payment_1.*make_payment_months/),
  })
  expect(granted.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
})

test('error: a month of the journal without a partition is not green, nor a payment in none', async () => {
  await run('drop table payments_2035_06')
  const journal = async () => (await found()).find(({ check }) => check === 'journal')
  expect(await journal()).toMatchObject({
    status: 'fail',
    detail: 'no partition for 2035_06',
  })
  await run(
    `insert into payments_default (id, chain_id, asset, payer, nonce, amount, request, request_hash, quote, "authorization", signature,
      signature_recovered, state, object_key, inference_id, created_at, updated_at)
    values (gen_random_uuid(), 1, '', '', '', 1, '{}', '', '{}', '{}', '', true, 'done', '', gen_random_uuid(), '2099-01-01', now())`,
  )
  expect(await journal()).toMatchObject({ status: 'fail', detail: 'payments_default has payments' })
})
