import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { openEmptyPglite } from '../test/helpers/in-process-database.ts'
import { MIGRATIONS_FOLDER } from './migration-files.ts'

const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) })
const JOURNAL = 'meta/_journal.json'
const journal = journalSchema.parse(JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, JOURNAL), 'utf8')))

/** Partitions are named by the month in which they were made; their parent has the same shape. */
const PARTITIONS = `(select oid::regclass::text from pg_class where relispartition)`

/** All that a migration can change of a table. */
const SHAPE = `
select 'column' as kind, format('%I.%I', table_name, column_name) as name, column_name, udt_name as type,
       format('%s/%s/%s', numeric_precision, numeric_scale, datetime_precision) as size, is_nullable, column_default as text
from information_schema.columns where table_schema = 'public' and table_name not in ${PARTITIONS}
union all
select 'index', indexname, null, null, null, null, replace(indexdef, ' ON ONLY ', ' ON ')
from pg_indexes where schemaname = 'public' and tablename not in ${PARTITIONS}
union all
select 'constraint', format('%s.%s', conrelid::regclass, conname), null, null, null, null, pg_get_constraintdef(oid)
from pg_constraint where connamespace = 'public'::regnamespace and conrelid::regclass::text not in ${PARTITIONS}
union all
select 'enum', t.typname, null, null, null, null, string_agg(e.enumlabel, ',' order by e.enumsortorder)
from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.typname
order by kind, name`

/** A table's columns as a list, and a value of each one's type; text is the same in all, so that references hold. */
const FILL = `
select table_name as table, bool_or(refers) as refers, string_agg(quote_ident(column_name), ', ') as columns,
       string_agg(case
         when udt_name = 'uuid' then 'gen_random_uuid()'
         when udt_name = 'text' then '$text'
         when udt_name = 'jsonb' then '''{}'''
         when udt_name in ('numeric', 'int2', 'int4', 'int8') then '$number'
         when udt_name = 'bool' then 'true'
         when udt_name = 'timestamptz' then 'now()'
         when udt_name = 'date' then '$date'
         when data_type = 'ARRAY' then '''{}'''
         else format('(enum_range(null::%I))[1]', udt_name) end, ', ') as values
from (select *, exists (select 1 from pg_constraint k where k.contype = 'f' and k.conrelid = format('%I', c.table_name)::regclass) as refers
      from information_schema.columns c where table_schema = 'public' and table_name <> 'payment_keys' and table_name not in ${PARTITIONS}) c
group by table_name order by refers, table_name`
const fillSchema = z.array(z.object({ table: z.string(), columns: z.string(), values: z.string() }))

const folder = mkdtempSync(join(tmpdir(), 'coinslot-steps-'))
let db: PGlite
let freshShape: unknown[]

beforeAll(async () => {
  db = await openEmptyPglite()
  await migrateTo(journal.entries.length)
  freshShape = await shape()
})
beforeEach(() => db.exec('drop schema if exists drizzle cascade; drop schema public cascade; create schema public'))
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Brings the database to the first `count` migrations, as a release of that time would have. */
async function migrateTo(count: number): Promise<void> {
  const release = join(folder, String(count))
  cpSync(MIGRATIONS_FOLDER, release, { recursive: true })
  writeFileSync(join(release, JOURNAL), JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }))
  await migrate(drizzle(db), { migrationsFolder: release })
}

/** One more row in every table. */
async function fill(step: number): Promise<string[]> {
  const tables = fillSchema.parse((await db.query(FILL)).rows)
  for (const { table, columns, values } of tables) {
    const row = values
      .replaceAll('$text', `'step ${step}'`)
      .replaceAll('$number', String(step))
      .replaceAll('$date', `date '2026-01-01' + ${step}`)
    await db.exec(`insert into ${table} (${columns}) values (${row})`)
  }
  return tables.map(({ table }) => table)
}

const shape = async (): Promise<unknown[]> => (await db.query(SHAPE)).rows

test('behavior: upgrading rows through every release builds the fresh schema and loses none', async () => {
  const filled: string[] = []
  for (let count = 1; count <= journal.entries.length; count++) {
    await migrateTo(count)
    filled.push(...(await fill(count)))
  }
  expect(freshShape.length).toBeGreaterThan(80)
  expect(await shape()).toEqual(freshShape)
  for (const table of new Set(filled)) {
    const { rows } = await db.query(`select count(*)::int as count from ${table}`)
    expect([table, rows]).toEqual([table, [{ count: filled.filter((name) => name === table).length }]])
  }
  const keys = 'select id, tx_hash, inference_id, created_at from payments order by id'
  const { rows } = await db.query(
    'select payment_id as id, tx_hash, inference_id, created_at from payment_keys order by payment_id',
  )
  expect(rows).toEqual((await db.query(keys)).rows)
})

/** Everything in the folder of the schema, so that no file of it is forgotten. */
async function schema(): Promise<Record<string, unknown>> {
  const files = readdirSync(join(import.meta.dirname, 'schema'))
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(`./schema/${file}`)))
  return Object.assign({}, ...modules)
}

test('behavior: the migrations make what the tables in the code say', async () => {
  for (const statement of await generateMigration(generateDrizzleJson({}), generateDrizzleJson(await schema()))) {
    await db.exec(statement)
  }
  expect(await shape()).toEqual(freshShape)
})
