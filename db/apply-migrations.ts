import { setTimeout as sleep } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { type FunctionFile, functionsToApply, MIGRATIONS_FOLDER, readApplied } from './migration-files.ts'

/** One connection to PostgreSQL or PGlite. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  /** Runs several statements, without values. */
  exec(text: string): Promise<unknown>
}

/** A migration that waits for a lock makes all who come after it wait too: it gives up, and tries again. */
const LOCK_TIMEOUT = "set lock_timeout = '200ms'"
const LOCK_TRIES = 300
const PAUSE_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'

const NOTES = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.applied_functions (file text, hash text, applied_at timestamptz not null default now(), primary key (file, hash))`

/**
 * Applies what is missing: migrations, oldest first, with drizzle's files and notes, then the files of functions. Each is a transaction by
 * itself. A lock that is not free within 200 ms is waited for in pauses, so that the service's own statements pass.
 */
export async function applyMigrations(client: Connection): Promise<void> {
  await client.exec(NOTES)
  const { rows } = await client.query('select max(created_at)::text as last from drizzle.__drizzle_migrations')
  const last = Number(rows[0]?.['last'] ?? 0)
  await client.exec(LOCK_TIMEOUT)
  for (const migration of readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER })) {
    if (migration.folderMillis <= last) continue
    await whenUnlocked(() => inTransaction(client, () => runMigration(client, migration)))
  }
  const applied = await readApplied(async (text) => (await client.query(text)).rows)
  for (const file of functionsToApply(applied)) {
    await whenUnlocked(() => inTransaction(client, () => replaceFunction(client, file)))
  }
}

async function runMigration(
  client: Connection,
  migration: ReturnType<typeof readMigrationFiles>[number],
): Promise<void> {
  for (const statement of migration.sql) await client.exec(statement)
  await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    migration.hash,
    migration.folderMillis,
  ])
}

async function replaceFunction(client: Connection, { file, text, hash }: FunctionFile): Promise<void> {
  await client.exec(text)
  await client.query('insert into drizzle.applied_functions (file, hash) values ($1, $2)', [file, hash])
}

async function inTransaction(client: Connection, work: () => Promise<void>): Promise<void> {
  await client.exec('begin')
  try {
    await work()
    await client.exec('commit')
  } catch (error) {
    await client.exec('rollback')
    throw error
  }
}

/** Runs `work` again while it finds a table locked, for about three minutes. */
async function whenUnlocked(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked || tries === LOCK_TRIES) throw error
    }
    await sleep(PAUSE_MS)
  }
}
