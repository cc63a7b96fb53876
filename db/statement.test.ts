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

it('behavior: it writes what drizzle’s own dialect writes', () => {
  const statement = sql`insert into ${payments} (${sql.identifier('odd"name')}) values (${new Date(0)}, ${null}, ${{ a: [1] }})
    on conflict (${payments.payer}) do nothing ${sql`and state in ${['done', 'owed']}`}
    and note = ${sql`${"it's"}`.inlineParams()} ${sql.join([sql`${1}`, sql.raw('2')], sql`, `)}`
  const { sql: text, params } = new PgDialect().sqlToQuery(statement)
  expect(toPostgres(statement)).toEqual({ sql: text, params })
  expect(params).toHaveLength(6)
})
