import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openEmptyPglite } from '../test/helpers/in-process-database.ts'
import { readSchema, writeMigration } from './generate-migration.ts'
import { MIGRATIONS_FOLDER } from './migration-files.ts'

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

let db: PGlite
beforeAll(async () => {
  db = await openEmptyPglite()
})
beforeEach(() => db.exec('drop schema if exists drizzle cascade; drop schema public cascade; create schema public'))
afterAll(() => db.close())

const shape = async (): Promise<unknown[]> => (await db.query(SHAPE)).rows

test('behavior: the migration makes what the tables in the code say', async () => {
  for (const statement of await generateMigration(generateDrizzleJson({}), generateDrizzleJson(await readSchema()))) {
    await db.exec(statement)
  }
  const ofTheCode = await shape()
  await db.exec('drop schema public cascade; create schema public')
  await migrate(drizzle(db), { migrationsFolder: MIGRATIONS_FOLDER })
  expect(ofTheCode.length).toBeGreaterThan(80)
  expect(await shape()).toEqual(ofTheCode)
})

test('behavior: the written migration is that of the schema and the functions, byte for byte', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinslot-migration-'))
  await writeMigration(folder)
  const textsOf = (place: string) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')])
      .sort()
  expect(textsOf(folder)).toEqual(textsOf(MIGRATIONS_FOLDER))
  rmSync(folder, { recursive: true })
})

test('behavior: months begin with the present one; all times before it are in one partition', async () => {
  await migrate(drizzle(db), { migrationsFolder: MIGRATIONS_FOLDER })
  const { rows } = await db.query(`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'payments'::regclass order by name`)
  const months =
    await db.query(`select 'payments_' || to_char(date_trunc('month', now() at time zone 'UTC') + make_interval(months => n), 'YYYY_MM') as name
    from generate_series(0, 2) n`)
  const [first] = months.rows as { name: string }[]
  const before = { name: first?.name.replace('payments_', 'payments_before_') }
  expect(rows).toEqual([...months.rows, before, { name: 'payments_default' }])
})
