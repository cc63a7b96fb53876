import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })

export interface MigrationFile {
  tag: string
  /** Unix milliseconds. drizzle applies only what is newer than the newest applied one, so these must rise. */
  when: number
  /** SHA-256 of the SQL as drizzle notes it in `drizzle.__drizzle_migrations`. */
  hash: string
}

/** The journal's migrations, oldest first. */
export function readMigrations(folder = MIGRATIONS_FOLDER): MigrationFile[] {
  const journal = journalSchema.parse(JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')))
  return journal.entries.map(({ tag, when }) => ({ tag, when, hash: sha256(readFileSync(`${folder}/${tag}.sql`)) }))
}

/** Tags of migrations that are not among the applied hashes: drizzle skips an entry with an old `when` without a word. */
export function missingMigrations(applied: readonly string[], folder = MIGRATIONS_FOLDER): string[] {
  return readMigrations(folder)
    .filter(({ hash }) => !applied.includes(hash))
    .map(({ tag }) => tag)
}

/** Thrown for a database that another commit made. Until version 1.0.0 none is carried over to the next one. */
export class DatabaseOfOtherCommit extends Error {
  override readonly name = 'DatabaseOfOtherCommit'
}

/**
 * Throws `DatabaseOfOtherCommit` if `applied` lacks a migration and has one that this commit does not know. One that only has
 * more is that of a newer version, which an older one may use.
 */
export function refuseOtherCommit(applied: readonly string[], database: string, folder = MIGRATIONS_FOLDER): void {
  const known = readMigrations(folder).map(({ hash }) => hash)
  if (missingMigrations(applied, folder).length === 0 || applied.every((hash) => known.includes(hash))) return
  throw new DatabaseOfOtherCommit(
    `${database} was made by another commit, whose tables differ. Nothing was changed. Before version 1.0.0 no database is carried ` +
      'over: use an empty one, or run the commit that made this one.',
  )
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
