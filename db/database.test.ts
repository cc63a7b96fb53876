import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../test/helpers/database.ts'
import { startPostgres } from '../test/helpers/postgres.ts'
import { type Database, DatabaseUnavailable } from './client.ts'
import { SqlError } from './errors.ts'
import { makeNeonDatabase } from './neon.ts'
import { makePgDatabase } from './pg.ts'

interface Subject {
  database: Database
  /** The same kind of client, aimed at a port where nothing listens. */
  unreachable: Database
  reset(): Promise<void>
  close(): Promise<void>
}

const NOBODY = 'postgresql://nobody:secret@127.0.0.1:1/nothing'
const postgres = await startPostgres()
afterAll(() => postgres?.close())

async function overNeon(postgresUrl?: string): Promise<Subject> {
  const subject = await startTestDatabase(postgresUrl === undefined ? {} : { postgresUrl })
  return { ...subject, unreachable: makeNeonDatabase({ databaseUrl: NOBODY, httpUrl: 'http://127.0.0.1:1/sql' }) }
}

async function overPg(url: string): Promise<Subject> {
  const { reset, close } = await startTestDatabase({ postgresUrl: url })
  const database = makePgDatabase(url)
  const unreachable = makePgDatabase(NOBODY)
  return {
    database,
    unreachable,
    reset,
    async close() {
      await Promise.all([database.close(), unreachable.close(), close()])
    },
  }
}

const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  )

function behavesAsDatabase(start: () => Promise<Subject>): void {
  let subject: Subject
  beforeAll(async () => {
    subject = await start()
  })
  beforeEach(() => subject.reset())
  afterAll(() => subject?.close())

  test('default: a row is an object of text, numbers, booleans and parsed JSON', async () => {
    const rows = await subject.database.run(sql`
      select ${7}::int4 as int4, ${'9007199254740993'}::int8 as int8, 1.500000::numeric(18,6) as numeric, 0.5::float8 as float8,
        true as bool, null::text as nothing, ${'{"a":["é",1.5,null]}'}::jsonb as jsonb, date '2026-01-02' as date,
        timestamptz '2026-01-02 03:04:05.678+00' as instant, array[timestamptz '2026-01-02 03:04:05+00'] as instants,
        array['a','b,c'] as texts, array[1,2] as ints, 'text-to-image'::task_type as enum,
        '0a1b2c3d-0000-4000-8000-000000000001'::uuid as uuid`)
    expect(rows).toEqual([
      {
        int4: 7,
        int8: '9007199254740993',
        numeric: '1.500000',
        float8: 0.5,
        bool: true,
        nothing: null,
        jsonb: { a: ['é', 1.5, null] },
        date: '2026-01-02',
        instant: expect.stringMatching(/^2026-01-0\d \d\d:\d\d:05\.678[+-]\d\d/),
        instants: expect.stringMatching(/^\{"2026-01-0\d \d\d:\d\d:05[+-]\d\d[\d:]*"\}$/),
        texts: ['a', 'b,c'],
        ints: [1, 2],
        enum: 'text-to-image',
        uuid: '0a1b2c3d-0000-4000-8000-000000000001',
      },
    ])
  })

  test('behavior: an instant comes back as the same instant, to the millisecond', async () => {
    const sent = new Date('2026-03-29T01:30:00.123Z')
    const [row] = await subject.database.run(sql`select ${sent}::timestamptz as at`)
    expect(new Date(String(row?.['at']))).toEqual(sent)
  })

  test('behavior: letters, emoji, right-to-left and quotes come back as they went', async () => {
    const text = `Ünï 日本 😀 \u202eabc' " \\ $1 \t\n;--`
    const rows = await subject.database.run(
      sql`select ${text}::text as text, ${JSON.stringify({ text })}::jsonb as json`,
    )
    expect(rows).toEqual([{ text, json: { text } }])
  })

  test('default: a batch returns each statement’s rows, and each sees earlier writes', async () => {
    const results = await subject.database.batch([
      sql`insert into users (address) values ('0x1') returning address`,
      sql`update users set last_seen_at = created_at where address = '0x1'`,
      sql`select count(*) as users from users`,
    ])
    expect(results).toEqual([[{ address: '0x1' }], [], [{ users: '1' }]])
  })

  test('behavior: a batch whose last statement fails writes nothing and keeps the connection', async () => {
    const error = await refused(
      subject.database.batch([
        sql`insert into users (address) values ('0x1')`,
        sql`insert into users (address) values ('0x1')`,
      ]),
    )
    expect(error).toBeInstanceOf(SqlError)
    expect(await subject.database.run(sql`select address from users`)).toEqual([])
  })

  test('error: DatabaseUnavailable 25006 for a write in a batch that only reads', async () => {
    const insert = sql`insert into users (address) values ('0x1')`
    const error = await refused(subject.database.batch([insert], { readOnly: true }))
    expect(error).toMatchObject({ name: 'DatabaseUnavailable', rolledBack: true })
    expect(await subject.database.batch([insert])).toEqual([[]])
  })

  test('behavior: after waiting for a lock, a batch sees what the lock’s holder wrote', async () => {
    const claim = () =>
      subject.database.batch([
        sql`select pg_advisory_xact_lock(1)`,
        sql`insert into users (address) select '0x1' where not exists (select from users) returning address`,
        sql`select pg_sleep(0.05)`, // keeps the lock until the others wait for it
      ])
    const claims = await Promise.all(Array.from({ length: 6 }, claim))
    expect(claims.filter(([, inserted]) => inserted?.length === 1)).toHaveLength(1)
  })

  test('behavior: 50 statements at once each get their own answer', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    const answers = await Promise.all(numbers.map((n) => subject.database.run(sql`select ${n}::int4 as n`)))
    expect(answers.flat()).toEqual(numbers.map((n) => ({ n })))
  })

  test('error: 23505 for a second row of one key names the constraint, not the statement', async () => {
    const insert = () => subject.database.run(sql`insert into users (address) values ('0xprivate')`)
    await insert()
    const error = await refused(insert())
    expect(error).toMatchObject({ name: 'SqlError', code: '23505', constraint: 'users_pkey' })
    expect(String(error)).not.toMatch(/insert|0xprivate/i)
  })

  test('error: 22021 a NUL in text, 22P05 a NUL in JSON', async () => {
    const text = await refused(subject.database.run(sql`select ${'a\u0000b'}::text`))
    const json = await refused(subject.database.run(sql`select ${JSON.stringify({ a: '\u0000' })}::jsonb`))
    expect([text, json]).toMatchObject([{ code: '22021' }, { code: '22P05' }])
  })

  test('error: DatabaseUnavailable where nothing listens, for statements and batches', async () => {
    const run = await refused(subject.unreachable.run(sql`select 'private'`))
    const batch = await refused(subject.unreachable.batch([sql`select 'private'`]))
    expect([run, batch]).toEqual([expect.any(DatabaseUnavailable), expect.any(DatabaseUnavailable)])
    expect(`${run} ${batch}`).not.toMatch(/private|secret|postgres|127\.0\.0\.1/)
  })
}

describe('Neon over PGlite', () => behavesAsDatabase(() => overNeon()))

const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''
describe.skipIf(postgres === null)(`Neon over PostgreSQL${remark}`, () =>
  behavesAsDatabase(() => overNeon(postgres?.url)),
)
describe.skipIf(postgres === null)(`pg over PostgreSQL${remark}`, () =>
  behavesAsDatabase(() => overPg(postgres?.url ?? NOBODY)),
)
