import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startPostgres } from '../test/helpers/postgres.ts'
import { readMigrations } from './migration-files.ts'
import { migrate } from './migrator.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.close())
const url = postgres?.url ?? ''
const total = readMigrations().length

async function inDatabase(...statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const results: pg.QueryResult[] = []
  for (const statement of statements) results.push(await client.query(statement))
  await client.end()
  return results
}

/** Runs `npm run db:migrate`'s program with this `DATABASE_URL`. */
function runProgram(
  databaseUrl: string,
  ...args: string[]
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const program = fileURLToPath(new URL('./migrate.ts', import.meta.url))
  return new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: databaseUrl }
    const child = execFile(process.execPath, [program, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    )
  })
}

test('behavior: the journal’s times rise and are in the past, so drizzle skips nothing', () => {
  const times = readMigrations().map(({ when }) => when)
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
})

test('behavior: --help and an unknown flag never reach the database', async () => {
  const unreachable = 'postgres://user@127.0.0.1:1/none'
  const help = await runProgram(unreachable, '--help')
  expect(help).toMatchObject({ exitCode: 0, stderr: '' })
  expect(help.stdout).toContain('npm run db:migrate')
  const unknown = await runProgram(unreachable, '--now')
  expect(unknown.exitCode).toBe(1)
  expect(unknown.stderr).toContain('--now')
})

test('error: a server out of reach ends the program with 1 and a message without the password', async () => {
  const { exitCode, stderr } = await runProgram('postgresql://app:secret@127.0.0.1:1/main')
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^Migration failed\. The database at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/)
  expect(stderr).not.toContain('secret')
})

test('error: a missing or foreign DATABASE_URL ends the program with 1 and says what it must be', async () => {
  expect(await runProgram('')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('DATABASE_URL is not set'),
  })
  const foreign = await runProgram('mysql://app:secret@host/main')
  expect(foreign).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('postgresql://user:password@host/database'),
  })
})

const remark = postgres === null ? ' (skipped: PostgreSQL is not installed)' : ''
describe.skipIf(postgres === null)(`on PostgreSQL${remark}`, () => {
  beforeEach(() =>
    inDatabase('drop schema if exists drizzle cascade', 'drop schema public cascade', 'create schema public'),
  )

  test('default: applies every migration, and a second time changes nothing', async () => {
    expect([await migrate(url), await migrate(url)]).toEqual([total, total])
    const [tables] = await inDatabase("select tablename from pg_tables where schemaname = 'public'")
    expect(tables?.rows.map((row) => row.tablename)).toEqual(
      expect.arrayContaining(['inferences', 'payments', 'users']),
    )
  })

  test('behavior: four containers that start at once migrate one after the other', async () => {
    expect(await Promise.all([1, 2, 3, 4].map(() => migrate(url)))).toEqual([total, total, total, total])
  })

  /** As `DatabaseOfOtherCommit` says it: which database, what is wrong, that nothing was changed, and what to do. */
  const OTHER =
    /^The database postgres at 127\.0\.0\.1:\d+ was made by another commit.* Nothing was changed\. .*use an empty one/

  test('error: a database of an older commit is refused, and nothing in it changes', async () => {
    await inDatabase(
      'create table users (address int)',
      'create schema drizzle',
      'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('other', 1)",
    )
    await expect(migrate(url)).rejects.toMatchObject({
      name: 'DatabaseOfOtherCommit',
      message: expect.stringMatching(OTHER),
    })
    const program = await runProgram(url)
    expect([program.exitCode, program.stderr]).toEqual([
      1,
      expect.stringMatching(/^Migration failed\. The database postgres/),
    ])
    const [notes, tables] = await inDatabase(
      'select hash from drizzle.__drizzle_migrations',
      "select tablename from pg_tables where schemaname = 'public'",
    )
    expect([notes?.rows, tables?.rows]).toEqual([[{ hash: 'other' }], [{ tablename: 'users' }]])
  })

  test('behavior: a database of a newer version, with one migration more, is left as it is', async () => {
    await migrate(url)
    await inDatabase("insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 99999999999999)")
    expect(await migrate(url)).toBe(total + 1)
  })

  test('error: a migration that changed after it was applied is refused', async () => {
    await migrate(url)
    await inDatabase("update drizzle.__drizzle_migrations set hash = 'of another text'")
    await expect(migrate(url)).rejects.toThrow(OTHER)
  })
})
