import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { MIGRATIONS_FOLDER, missingMigrations } from './migration-files.ts'

/** Any number, as long as nothing else in the database uses it: two containers that start at once migrate one after the other. */
const LOCK_KEY = 7_402_402

/**
 * Brings the database at `url` to the newest migration and returns how many are in place. Throws, with a message for the
 * operator and without the password, when it cannot be reached, a statement fails, or any migration is not in place after.
 */
export async function migrate(url: string): Promise<number> {
  const target = directUrl(url)
  const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: 30_000 })
  await client.connect().catch((cause: unknown) => {
    throw new Error(`The database at ${target.host} cannot be reached: ${explain(cause)}`, { cause })
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

/** Neon's pooled host multiplexes sessions, which would break the session's lock: its direct host is the same without `-pooler`. */
function directUrl(url: string): URL {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error('DATABASE_URL must look like postgresql://user:password@host/database')
  }
  const target = new URL(url)
  if (target.hostname.endsWith('.neon.tech')) target.hostname = target.hostname.replace('-pooler.', '.')
  return target
}

/** Node joins the failures of several addresses into one error with an empty message. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(explain).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function main(): Promise<void> {
  const url = process.env['DATABASE_URL']
  if (!url) throw new Error('DATABASE_URL is not set: name the database to migrate')
  console.log(`The database is up to date: ${await migrate(url)} migrations in place.`)
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(`Migration failed. ${explain(error)}`)
    process.exitCode = 1
  })
}
