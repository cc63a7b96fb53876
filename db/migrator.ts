import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { DatabaseUnavailable, directUrl } from './client.ts'
import { MIGRATIONS_FOLDER, missingMigrations } from './migration-files.ts'

/** Any number, as long as nothing else in the database uses it: two containers that start at once migrate one after the other. */
const LOCK_KEY = 7_402_402

/**
 * Brings the database at `url` to the newest migration and returns how many are in place. Throws, with a message for the
 * operator and without the password, when it cannot be reached (`DatabaseUnavailable`), a statement fails, or any migration is
 * not in place after.
 */
export async function migrate(url: string): Promise<number> {
  const target = directUrl(url)
  const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: 30_000 })
  await client.connect().catch((cause: unknown) => {
    throw new DatabaseUnavailable(`The database at ${target.host} cannot be reached: ${explain(cause)}`, { cause })
  })
  try {
    await client.query("set lock_timeout = '120s'")
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER })
    const applied = await client.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')
    const missing = missingMigrations(applied.rows.map((row) => row.hash))
    if (missing.length > 0) throw new Error(`Not in place, or changed since they were applied: ${missing.join(', ')}`)
    return applied.rows.length
  } finally {
    await client.end()
  }
}

/** What an error says. Node joins the failures of several addresses into one error with an empty message. */
export function explain(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(explain).join('; ')
  return error instanceof Error ? error.message : String(error)
}
