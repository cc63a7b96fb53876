import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../test/helpers/postgres.ts'
import { makePgDatabase } from './pg.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.close())

describe.skipIf(postgres === null)('plain connections (skipped where PostgreSQL is not installed)', () => {
  it('default: a connection keeps each statement prepared, so that it is planned once', async () => {
    const database = makePgDatabase(postgres?.url ?? '')
    for (const number of [1, 2, 3]) await database.run(sql`select ${number}::int as number`)
    const kept =
      await database.run(sql`select statement, generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like 'select $1::int%'`)
    expect(kept).toEqual([{ statement: 'select $1::int as number', runs: '3' }])
    await database.close()
  })

  it('behavior: texts beyond the kept ones run all the same', async () => {
    const database = makePgDatabase(postgres?.url ?? '')
    for (let number = 0; number < 450; number++) {
      expect(await database.run(sql.raw(`select ${number} as number`))).toEqual([{ number }])
    }
    const [kept] = await database.run(sql`select count(*)::int as count from pg_prepared_statements`)
    expect(kept?.['count']).toBeLessThanOrEqual(400)
    await database.close()
  })

  it('behavior: a statement whose columns changed meanwhile is asked again on a new connection', async () => {
    const database = makePgDatabase(postgres?.url ?? '')
    await database.run(sql`create table changing (a int)`)
    expect(await database.run(sql`select * from changing`)).toEqual([])
    await database.run(sql`alter table changing add column b int`)
    await database.run(sql`insert into changing values (1, 2)`)
    expect(await database.run(sql`select * from changing`)).toEqual([{ a: 1, b: 2 }])
    await database.close()
  })
})
