import { setTimeout as sleep } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { MIGRATIONS_FOLDER } from './migration-files.ts'

type Client = Pick<pg.Client, 'query'>

/** A migration that waits for a lock makes all who come after it wait too: it gives up, and tries again. */
const LOCK_TIMEOUT = "set lock_timeout = '200ms'"
const LOCK_TRIES = 300
const PAUSE_MS = 250
const LOCK_NOT_AVAILABLE = '55P03'

const NOTES = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

/**
 * Applies what is missing, oldest first, with drizzle's files and notes, each in a transaction by itself. A lock that is not free within
 * 200 ms is waited for in pauses, so that the service's own statements pass.
 */
export async function applyMigrations(client: Client): Promise<void> {
  await client.query(NOTES)
  const { rows } = await client.query<{ last: string | null }>(
    'select max(created_at)::text as last from drizzle.__drizzle_migrations',
  )
  const last = Number(rows[0]?.last ?? 0)
  await client.query(LOCK_TIMEOUT)
  for (const migration of readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER })) {
    if (migration.folderMillis <= last) continue
    await whenUnlocked(() => inTransaction(client, migration))
  }
}

async function inTransaction(client: Client, migration: ReturnType<typeof readMigrationFiles>[number]): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of migration.sql) await client.query(statement)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      migration.hash,
      migration.folderMillis,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
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
