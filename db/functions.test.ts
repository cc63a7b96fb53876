import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { onEachDatabase } from '../test/helpers/claims.ts'
import { openEmptyPglite } from '../test/helpers/in-process-database.ts'
import { applyMigrations } from './apply-migrations.ts'
import { functionsToApply, readApplied, readFunctions, readMigrations } from './migration-files.ts'

const files = readFunctions()
const nameIn = (text: string): string => /create or replace function (\w+)/.exec(text)?.[1] ?? ''
const bodyIn = (text: string): string => text.split('$$')[1] ?? ''

it('default: one function per file, with the rights of its caller and a fixed search path', () => {
  expect(files.map(({ file, text }) => [file, text.split('create or replace function').length - 1])).toEqual(
    files.map(({ file }) => [file, 1]),
  )
  for (const { text } of files) {
    expect(text).toContain('set search_path = public, pg_temp')
    expect(text).toContain(`revoke execute on function ${nameIn(text)}(jsonb) from public;`)
    expect(text).toContain("current_setting('transaction_isolation') <> 'read committed'")
    expect(text).not.toMatch(/security definer|\bexecute (?!on function)/i)
  }
})

await onEachDatabase('the functions', (db) => {
  it('default: a migrated database has the bodies of the files', async () => {
    const rows =
      await db.database.run(sql`select p.proname as name, p.prosrc as body, p.proconfig::text as settings, p.prosecdef as definer
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname ~ '_[0-9]+$' order by p.proname`)
    const expected = files.map(({ text }) => ({
      name: nameIn(text),
      body: bodyIn(text),
      settings: '{"search_path=public, pg_temp"}',
      definer: false,
    }))
    expect(rows).toEqual(expected.sort((a, b) => (a.name < b.name ? -1 : 1)))
  })
})

it('error: a function that is called at another isolation level raises', async () => {
  const client = await openEmptyPglite()
  await applyMigrations(client)
  for (const level of ['repeatable read', 'serializable']) {
    for (const { text } of files) {
      await client.exec(`begin isolation level ${level}`)
      const raised = await client.query(`select ${nameIn(text)}('{}')`).catch(String)
      expect(raised).toMatch(/needs READ COMMITTED/)
      await client.exec('rollback')
    }
  }
  await client.close()
})

it('behavior: a changed text replaces the function, once; an older one is not applied again', async () => {
  const client = await openEmptyPglite()
  await applyMigrations(client)
  const appliedIn = () => readApplied(async (text) => (await client.query<Record<string, unknown>>(text)).rows)
  const first = await appliedIn()
  expect(functionsToApply(first)).toEqual([])
  const missing = files.slice(0, 1)
  await client.exec(`delete from drizzle.applied_functions where file = '${missing[0]?.file}'`)
  await client.exec(
    'create or replace function claim_payment_1(call jsonb) returns jsonb language sql as $$ select call $$',
  )
  expect(functionsToApply(await appliedIn())).toEqual(missing)
  await applyMigrations(client)
  expect((await client.query('select prosrc from pg_proc where proname = $1', ['claim_payment_1'])).rows).toEqual([
    { prosrc: bodyIn(missing[0]?.text ?? '') },
  ])
  expect(functionsToApply({ ...first, functions: [...first.functions, 'of a newer text'] })).toEqual([])
  await client.close()
})

it('behavior: an older commit leaves the functions of a newer database as they are', () => {
  const migrations = readMigrations().map(({ hash }) => hash)
  expect(functionsToApply({ migrations, functions: [] })).toEqual(files)
  expect(functionsToApply({ migrations: [...migrations, 'of a newer version'], functions: [] })).toEqual([])
})
