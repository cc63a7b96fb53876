import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeNeonDatabase } from '../../db/neon.ts'
import { readMonths } from '../../db/queries/journal-months.ts'
import { MOST_PREPARED } from './pglite-engine.ts'
import { type NeonServer, startNeonServer } from './server.ts'

describe('protocol', () => {
  let server: NeonServer
  const startedAt = new Date()
  beforeAll(async () => {
    server = await startNeonServer()
  })
  afterAll(() => server.close())

  test('default: a new database has the partitions of this month and the next two', async () => {
    const database = makeNeonDatabase({ databaseUrl: server.databaseUrl, httpUrl: server.url })
    expect(await readMonths(database, startedAt)).toEqual({ missing: [], outside: 0 })
  })

  async function post(body: unknown, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'Neon-Connection-String': `${server.databaseUrl}?application_name=test`,
        'Neon-Raw-Text-Output': 'true',
        'Neon-Array-Mode': 'true',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }

  test('default: every cell is text or null, whatever its type', async () => {
    const query =
      "select 1 as a, true as b, null as c, '{\"x\":1}'::jsonb as d, array[1,2] as e, '\\x01'::bytea as f, $1::int8 as g"
    const { body } = await post({ query, params: [5] })
    expect(body).toMatchObject({ command: 'SELECT', rowCount: 1, rowAsArray: true })
    expect(body).toMatchObject({ rows: [['1', 't', null, '{"x": 1}', '{1,2}', '\\x01', '5']] })
    expect(body).toMatchObject({
      fields: expect.arrayContaining([
        { name: 'a', dataTypeID: 23 },
        { name: 'd', dataTypeID: 3802 },
      ]),
    })
  })

  test('behavior: a batch takes its isolation level and mode from the headers', async () => {
    const queries = [{ query: 'show transaction_isolation' }, { query: 'show transaction_read_only' }]
    const headers = { 'Neon-Batch-Isolation-Level': 'Serializable', 'Neon-Batch-Read-Only': 'true' }
    const { body } = await post({ queries }, headers)
    expect(body).toMatchObject({ results: [{ rows: [['serializable']] }, { rows: [['on']] }] })
  })

  test('error: PostgreSQL reports are answered with 400 and their fields', async () => {
    const insert = { query: "insert into users (address) values ('0x1')", params: [] }
    const { status, body } = await post({ queries: [insert, insert] })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: '23505', severity: 'ERROR', table: 'users', constraint: 'users_pkey' })
    expect(body).toMatchObject({ detail: 'Key (address)=(0x1) already exists.' })
  })

  test('error: another connection string is refused as a failed login', async () => {
    const { status, body } = await post({ query: 'select 1' }, { 'Neon-Connection-String': 'postgresql://a:b@c/d' })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: '28P01' } })
  })

  test('error: a request that the driver would not send is 400 without a code', async () => {
    const answers = [await post({ sql: 'select 1' }), await post({ query: 'select 1' }, { 'Neon-Array-Mode': 'false' })]
    for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: null } })
  })

  test('behavior: a statement that failed runs again, also when it is prepared no more', async () => {
    const divide = (by: number) => post({ query: 'select 6 / $1::int4 as a', params: [by] })
    expect(await divide(0)).toMatchObject({ status: 400, body: { code: '22012' } })
    expect(await divide(2)).toMatchObject({ status: 200, body: { rows: [['3']] } })
    const queries = Array.from({ length: MOST_PREPARED + 1 }, (_, at) => ({ query: `select ${at}` }))
    expect(await post({ queries })).toMatchObject({ status: 200 })
    expect(await divide(3)).toMatchObject({ status: 200, body: { rows: [['2']] } })
    const { body } = await post({ query: 'select count(*)::int4 as kept from pg_prepared_statements' })
    expect(body).toMatchObject({ rows: [[String(MOST_PREPARED)]] })
  })

  test('error: two statements in one query are refused, as Neon does', async () => {
    expect(await post({ query: 'select 1; select 2' })).toMatchObject({ status: 400, body: { code: '42601' } })
  })
})

describe('data directory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinslot-test-'))
  const dataDir = join(folder, 'state/database')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Starts a server over `dataDir`, adds a user, stops, and returns all users. */
  async function addUser(address: string, options: { fresh?: boolean } = {}): Promise<unknown[]> {
    const server = await startNeonServer({ dataDir, ...options })
    const database = makeNeonDatabase({ databaseUrl: server.databaseUrl, httpUrl: server.url })
    await database.run(sql`insert into users (address) values (${address})`)
    const rows = await database.run(sql`select address from users order by address`)
    await server.close()
    return rows.map((row) => row['address'])
  }

  test('behavior: the data survive a restart, and `fresh` deletes them', async () => {
    expect(await addUser('0x1')).toEqual(['0x1'])
    expect(await addUser('0x2')).toEqual(['0x1', '0x2'])
    expect(await addUser('0x3', { fresh: true })).toEqual(['0x3'])
  })
})

test('error: EADDRINUSE for a port in use', async () => {
  const server = await startNeonServer()
  const port = Number(new URL(server.url).port)
  await expect(startNeonServer({ port })).rejects.toThrow('EADDRINUSE')
  await server.close()
})
