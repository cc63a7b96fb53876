import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { makeNeonDatabase } from '../../db/neon.ts'
import { startNeonServer } from '../../dev/neon/server.ts'

export interface TestDatabase {
  /** Through Neon's HTTP driver, as in production. */
  database: Database
  httpUrl: string
  databaseUrl: string
  /** Empties every table. */
  reset(): Promise<void>
  close(): Promise<void>
}

/**
 * A separate migrated database behind Neon's HTTP protocol: PGlite in this process, or the PostgreSQL at `postgresUrl`
 * (see `startPostgres`) where locks and races must be real.
 */
export async function startTestDatabase({ postgresUrl }: { postgresUrl?: string } = {}): Promise<TestDatabase> {
  const server = await startNeonServer(postgresUrl === undefined ? {} : { databaseUrl: postgresUrl })
  const database = makeNeonDatabase({ databaseUrl: server.databaseUrl, httpUrl: server.url })
  return {
    database,
    httpUrl: server.url,
    databaseUrl: server.databaseUrl,
    reset: () => truncateAll(database),
    close: () => server.close(),
  }
}

async function truncateAll(database: Database): Promise<void> {
  const rows = await database.run(sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`)
  const names = rows.map((row) => String(row['name'])).join(', ')
  await database.run(sql.raw(`truncate ${names}`))
}
