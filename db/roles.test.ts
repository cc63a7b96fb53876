import type { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { openEmptyPglite } from '../test/helpers/in-process-database.ts'
import { readRoles } from '../test/helpers/roles.ts'
import { applyMigrations } from './apply-migrations.ts'

const TABLES = 'create schema if not exists facilitator; create table if not exists facilitator.settlements (id int)'

/** Rights that only the migrations have. */
const CHANGES = [
  'alter table payments add column more int',
  'drop table inferences',
  'truncate users',
  'create table public.more (id int)',
  'create schema more',
  'delete from drizzle.__drizzle_migrations',
]

/** The calls of a purchase. Without members each ends before it writes. */
const PURCHASE = [
  `select claim_payment_1('{"fresh": null}')`,
  "select resend_payment_1('{}')",
  "select mark_settled_1('{}')",
  "select record_inference_1('{}')",
]

async function refusals(client: PGlite, role: string, statements: readonly string[]): Promise<string[]> {
  await client.exec(`set role ${role}`)
  const refused: string[] = []
  for (const statement of statements) await client.exec(statement).catch(() => refused.push(statement))
  await client.exec('reset role')
  return refused
}

/** Every function that takes an advisory lock, with this many numbers for a name. */
const locksOf = (numbers: string): string[] =>
  ['pg', 'pg_try'].flatMap((start) =>
    ['lock', 'lock_shared', 'xact_lock', 'xact_lock_shared'].map(
      (end) => `select ${start}_advisory_${end}(${numbers})`,
    ),
  )
/** Names of the facilitator's locks are two numbers, those of the service's are one. */
const [FACILITATORS, SERVICES] = [locksOf('7402103, 1'), locksOf('7')]

it('error: G8 neither server nor facilitator takes the other’s advisory locks', async () => {
  const client = await openEmptyPglite()
  await client.exec(await readRoles())
  expect(await refusals(client, 'server', FACILITATORS)).toEqual(FACILITATORS)
  expect(await refusals(client, 'migrator', FACILITATORS)).toEqual(FACILITATORS)
  expect(await refusals(client, 'facilitator', SERVICES)).toEqual(SERVICES)
  await client.exec('create role guest')
  expect(await refusals(client, 'guest', [...FACILITATORS, ...SERVICES])).toEqual([...FACILITATORS, ...SERVICES])
  expect(await refusals(client, 'facilitator', FACILITATORS)).toEqual([])
  expect(await refusals(client, 'server', SERVICES)).toEqual([])
  await client.close()
})

it('error: G8 a role that may use the schema calls no function that acts as its owner', async () => {
  const client = await openEmptyPglite()
  await applyMigrations(client)
  await client.exec('create role guest; grant usage on schema public to guest')
  const { rows } = await client.query(`select p.oid::regprocedure::text as function from pg_proc p
    where p.prosecdef and p.pronamespace = 'public'::regnamespace and has_function_privilege('guest', p.oid, 'execute')`)
  expect(rows).toEqual([])
  const calls = ['select make_payment_months(current_date, 0)', "select make_payment_months('2999-01-01', 1000)"]
  expect(await refusals(client, 'guest', calls)).toEqual(calls)
  expect(await refusals(client, 'guest', PURCHASE)).toEqual(PURCHASE)
  await client.close()
})

async function expectApart(client: PGlite): Promise<void> {
  expect(await refusals(client, 'server', CHANGES)).toEqual(CHANGES)
  await client.exec('set role server')
  // A month from now on that has no partition yet: the scheduled job makes it with no right on tables.
  const { rows } = await client.query("select make_payment_months((now() + interval '1 year')::date, 0) as made")
  expect([[{ made: 0 }], [{ made: 1 }]]).toContainEqual(rows)
  await client.exec('select hash from drizzle.__drizzle_migrations; select 1 from payments_default; reset role')
  const ours = ['select 1 from payments', "insert into users (address) values ('0x1') on conflict do nothing"]
  const theirs = ['select 1 from facilitator.settlements', 'insert into facilitator.settlements values (1)']
  expect(await refusals(client, 'server', [...ours, ...PURCHASE])).toEqual([])
  expect(await refusals(client, 'facilitator', PURCHASE)).toEqual(PURCHASE)
  expect(await refusals(client, 'server', theirs)).toEqual(theirs)
  expect(await refusals(client, 'facilitator', theirs)).toEqual([])
  expect(await refusals(client, 'facilitator', ours)).toEqual(ours)
}

it('behavior: each role makes its own tables, and neither reads the other’s', async () => {
  const client = await openEmptyPglite()
  await client.exec(await readRoles())
  await client.exec('set role migrator')
  await applyMigrations(client)
  await client.exec('reset role; set role facilitator')
  await client.exec(TABLES)
  await client.exec('reset role')
  await expectApart(client)
  await client.close()
})

it('behavior: a database that one role made gets a new owner; a repeat changes nothing', async () => {
  const client = await openEmptyPglite()
  await applyMigrations(client)
  await client.exec(TABLES)
  for (const _time of ['first', 'second']) await client.exec(await readRoles())
  await expectApart(client)
  await client.exec('set role migrator')
  await applyMigrations(client)
  await client.exec('alter table payments add column more int')
  await client.close()
})
