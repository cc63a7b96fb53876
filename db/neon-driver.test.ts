import { neon, neonConfig } from '@neondatabase/serverless'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '../test/helpers/database.ts'
import { toStatement } from './statement.ts'

let subject: TestDatabase
beforeAll(async () => {
  subject = await startTestDatabase()
})
afterAll(() => subject.close())

/** What Neon's own driver makes of it. */
async function byTheDriver(statement: SQL): Promise<unknown> {
  neonConfig.fetchEndpoint = subject.httpUrl
  const { text, params } = toStatement(statement)
  return neon(subject.databaseUrl).query(text, params)
}

const json = '{"a":["é",1.5,null,{"b":"\\"{,}"}]}'

test.each<[string, SQL]>([
  ['numbers', sql`select 7::int4, (-3)::int2 as b, 0.1::float8 as c, 'NaN'::float4 as d, 12::oid as e`],
  ['numbers that a float cannot hold', sql`select 9007199254740993::int8 as a, 1.500000::numeric(18,6) as b`],
  ['booleans and nulls', sql`select true as a, false as b, null::bool as c, null::jsonb as d`],
  ['JSON', sql`select ${json}::jsonb as a, ${json}::json as b, '"x"'::jsonb as c, '3'::jsonb as d`],
  ['texts', sql`select ${`a"b\\c,{}' \n 日本 😀`}::text as a, 'b'::varchar as b, ''::text as c`],
  [
    'arrays',
    sql`select ${'{a,"b,c","d\\"e\\\\f","",NULL,"NULL"}'}::text[] as a, '{}'::text[] as b, '{1,-2,NULL}'::int4[] as c`,
  ],
  ['other types', sql`select '0a1b2c3d-0000-4000-8000-000000000001'::uuid as a, 'text-to-image'::task_type as b`],
  ['no rows', sql`select 1 as a where false`],
])('default: the same rows as by Neon’s driver: %s', async (_kind, statement) => {
  const rows = await subject.database.run(statement)
  expect(rows).toEqual(await byTheDriver(statement))
})

test('default: a statement is written out as drizzle’s own dialect does it', () => {
  const inner = sql`b = ${true} and ${sql.join([sql`c = ${1}`, sql`d = ${null}`], sql` or `)}`
  const statement = sql`select ${sql.raw('"x", y')} from t where a = ${'1'} and (${inner}) limit ${2}::int`
  const { sql: text, params } = new PgDialect().sqlToQuery(statement)
  expect(toStatement(statement)).toEqual({
    text,
    params: params.map((value) => (value === null ? null : String(value))),
  })
})

test('error: TypeError for a value that has no one text', () => {
  expect(() => toStatement(sql`select ${{ a: 1 }}`)).toThrow(TypeError)
  expect(() => toStatement(sql`select ${['a']}`)).toThrow(TypeError)
})
