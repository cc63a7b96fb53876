import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { applyMigrations } from './apply-migrations.ts'
import { DatabaseUnavailable, directUrl } from './client.ts'
import { type Applied, missingIn, readApplied, refuseOtherCommit } from './migration-files.ts'

/** Any number, as long as nothing else in the database uses it: two containers that start at once migrate one after the other. */
const LOCK_KEY = 7_402_402
const LOCK_PAUSE_MS = 200
const LOCK_TRIES = 9_000

/**
 * Brings the database at `url` to the newest migration and functions, and returns how many migrations are in place. Where none is missing it only reads. Throws, with a message for the
 * operator and without the password, when it cannot be reached (`DatabaseUnavailable`), another commit made it
 * (`DatabaseOfOtherCommit`; nothing is written then), a statement fails, or any migration is not in place after.
 */
export async function migrate(url: string): Promise<number> {
  const target = directUrl(url)
  const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: 30_000 })
  await client.connect().catch((cause: unknown) => {
    throw new DatabaseUnavailable(`The database at ${target.host} cannot be reached: ${explain(cause)}`, { cause })
  })
  try {
    const before = await appliedIn(client)
    if (missingIn(before).length === 0) return before.migrations.length
    await takeTurn(client)
    refuseOtherCommit(
      (await appliedIn(client)).migrations,
      `The database ${target.pathname.slice(1)} at ${target.host}`,
    )
    await applyMigrations({ query: (...args) => client.query(...args), exec: (text) => client.query(text) })
    const applied = await appliedIn(client)
    const missing = missingIn(applied)
    if (missing.length > 0) throw new Error(`Not in place: ${missing.join(', ')}`)
    return applied.migrations.length
  } finally {
    await client.end()
  }
}

const appliedIn = (client: pg.Client): Promise<Applied> =>
  readApplied(async (text) => (await client.query<Record<string, unknown>>(text)).rows)

/** Asks for the lock again and again: a statement that waited for it would keep an index from being built beside it. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK_KEY])
    if (rows[0]?.mine === true) return
    await sleep(LOCK_PAUSE_MS)
  }
  throw new Error('another program has been migrating this database for 30 minutes')
}

/** An error's message. Node joins the failures of several addresses into one error with an empty message. */
export function explain(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(explain).join('; ')
  return error instanceof Error ? error.message : String(error)
}
