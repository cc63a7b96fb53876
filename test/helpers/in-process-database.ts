import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { ZodError } from 'zod'
import type { Database } from '../../db/client.ts'
import { migrate } from '../../db/migrator.ts'
import { makeNeonDatabase } from '../../db/neon.ts'
import { makePgEngine } from '../../dev/neon/pg-engine.ts'
import { makePgliteEngine } from '../../dev/neon/pglite-engine.ts'
import { execute, parseHeaders, type SqlEngine, serverReport } from '../../dev/neon/protocol.ts'
import { copyTemplate } from '../../dev/neon/template.ts'

/** Names the folder that a test run removes at its end, with the databases that are still open. */
export const DATABASES_FOLDER = 'COINSLOT_TEST_DATABASES'

/** A migrated database in this process, reached through Neon's driver without a socket. */
export interface TestDatabase {
  readonly database: Database
  /** Empties every table. */
  reset(): Promise<void>
}

export interface InProcessDatabase extends TestDatabase {
  close(): Promise<void>
}

/** Children before the tables they refer to. Deleting few rows is a hundred times as fast as truncating eight tables. */
const TABLES = [
  'inferences',
  'shares',
  'payments',
  'users',
  'paid_rates',
  'used_nonces',
  'model_sum_parts',
  'model_checks',
  'day_sum_parts',
  'asset_sum_parts',
] as const

/** PGlite, or the PostgreSQL at `postgresUrl` where locks and races must be real. */
export async function openInProcessDatabase(options: { postgresUrl?: string } = {}): Promise<InProcessDatabase> {
  const engine = options.postgresUrl === undefined ? await openPglite() : await openPostgres(options.postgresUrl)
  const database = makeNeonDatabase({
    databaseUrl: 'postgresql://coinslot:coinslot@in.process/coinslot',
    fetch: (_url, init) => answer(engine, init),
  })
  const empty = sql.raw(
    `with ${TABLES.map((table, index) => `t${index} as (delete from ${table})`).join(', ')} select 1 as done`,
  )
  return { database, reset: async () => void (await database.run(empty)), close: () => engine.close() }
}

const newFolder = (): string => mkdtempSync(join(process.env[DATABASES_FOLDER] ?? tmpdir(), 'coinslot-db-'))

/** A PGlite without tables, in a copy of one that was made before: making one takes seconds. */
export async function openEmptyPglite(): Promise<PGlite> {
  const dataDir = join(newFolder(), 'data')
  await copyTemplate(dataDir, { empty: true })
  return PGlite.create({ dataDir })
}

async function openPglite(): Promise<SqlEngine> {
  const folder = newFolder()
  const dataDir = join(folder, 'data')
  await copyTemplate(dataDir)
  const engine = await makePgliteEngine(dataDir)
  return {
    ...engine,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openPostgres(databaseUrl: string): Promise<SqlEngine> {
  await migrate(databaseUrl)
  return makePgEngine(databaseUrl)
}

async function answer(engine: SqlEngine, { headers, body }: RequestInit): Promise<Response> {
  try {
    const result = await execute(
      engine,
      parseHeaders(Object.fromEntries(new Headers(headers))),
      JSON.parse(String(body)),
    )
    return Response.json(result)
  } catch (error) {
    const report = serverReport(error)
    if (report === null || error instanceof ZodError) throw error
    return Response.json(report, { status: 400 })
  }
}

/** Databases that the files before have finished with. Opening one takes longer than most tests. */
const idle: InProcessDatabase[] = []

/** A database until `close`. What a file left running then meets a closed one, and never the rows of the next file. */
async function borrow(): Promise<InProcessDatabase> {
  const opened = idle.pop() ?? (await openInProcessDatabase())
  let isClosed = false
  const whileOpen = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isClosed) throw new Error('this database is closed')
    return work()
  }
  return {
    database: {
      run: (...args) => whileOpen(() => opened.database.run(...args)),
      batch: (...args) => whileOpen(() => opened.database.batch(...args)),
    },
    reset: () => opened.reset(),
    close: async () => {
      isClosed = true
      idle.push(opened)
    },
  }
}

/**
 * A migrated database for the tests of a file, emptied before each of them. To be called while the file is read. Without `open` it
 * is shared with the files that this process runs later, so tests must leave its tables and settings as they are.
 */
export function useDatabase(open: () => Promise<InProcessDatabase> = borrow): TestDatabase {
  let opened: InProcessDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  beforeEach(() => opened.reset())
  return {
    get database() {
      return opened.database
    },
    reset: () => opened.reset(),
  }
}
