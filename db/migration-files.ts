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

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
