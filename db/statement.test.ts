import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { payments } from './schema/payments.ts'
import { toPostgres } from './statement.ts'

it('default: parameters are numbered through nested parts, in order', () => {
  const condition = sql`payer = ${'0xab'} and ${sql`amount > ${5n}`}`
  expect(toPostgres(sql`select ${1} from payments where ${condition} limit ${20}`)).toEqual({
    sql: 'select $1 from payments where payer = $2 and amount > $3 limit $4',
    params: [1, '0xab', 5n, 20],
  })
})

const PLAIN = sql`select ${1} ${sql.raw('from payments')} where note = ${'0'} and ${sql`paid_at is ${null}`}`
it.each([
  ['texts, values and statements', PLAIN],
  ['values within', sql`${PLAIN} and ${sql`id = ${"it's"}`.inlineParams()}`],
  ['a list', sql`${PLAIN} and id in ${['a', 'b']}`],
  ['a part that is not there', sql`${PLAIN} ${undefined} limit ${2}`],
  ['other values', sql`${PLAIN} and ${true} and ${new Date(0)} and ${5n}`],
  ['names', sql`${PLAIN} order by ${sql.identifier('odd"name')}`],
])('behavior: of %s it writes what drizzle’s own dialect writes', (_what, statement) => {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement)
  expect(toPostgres(statement)).toEqual({ sql: text, params })
})

it('behavior: of tables and columns it writes what drizzle’s own dialect writes', () => {
  const statement = sql`insert into ${payments} (${sql.identifier('odd"name')}) values (${new Date(0)}, ${null}, ${{ a: [1] }})
    on conflict (${payments.payer}) do nothing ${sql`and state in ${['done', 'owed']}`}
    and note = ${sql`${"it's"}`.inlineParams()} ${sql.join([sql`${1}`, sql.raw('2')], sql`, `)}`
  const { sql: text, params } = new PgDialect().sqlToQuery(statement)
  expect(toPostgres(statement)).toEqual({ sql: text, params })
  expect(params).toHaveLength(6)
})
