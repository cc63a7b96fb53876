import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url))
const FUNCTIONS_FOLDER = fileURLToPath(new URL('./functions', import.meta.url))

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

export interface FunctionFile {
  file: string
  text: string
  /** SHA-256 of the text, as `drizzle.applied_functions` has it. */
  hash: string
}

/** The files of `db/functions`, by name: each makes or replaces what the worker calls in the database. */
export function readFunctions(folder = FUNCTIONS_FOLDER): FunctionFile[] {
  const texts = readdirSync(folder)
    .sort()
    .map((file) => ({ file, text: readFileSync(`${folder}/${file}`, 'utf8') }))
  return texts.map(({ file, text }) => ({ file, text, hash: sha256(text) }))
}

/** What a database says was applied: hashes of migrations and of files of functions. */
export interface Applied {
  migrations: string[]
  functions: string[]
}

/** Reads what was applied. A role that may only read it is enough. */
export async function readApplied(query: (text: string) => Promise<Record<string, unknown>[]>): Promise<Applied> {
  const hashes = async (table: string): Promise<string[]> => {
    const [found] = await query(`select to_regclass('${table}') is not null as there`)
    return found?.['there'] === true ? (await query(`select hash from ${table}`)).map(({ hash }) => String(hash)) : []
  }
  return {
    migrations: await hashes('drizzle.__drizzle_migrations'),
    functions: await hashes('drizzle.applied_functions'),
  }
}

/**
 * The files whose text was never applied. One that was is not applied again, and none is where the database has a migration that this
 * commit does not know: an older container that starts again takes no newer function back.
 */
export function functionsToApply({ migrations, functions }: Applied): FunctionFile[] {
  const known = readMigrations().map(({ hash }) => hash)
  if (!migrations.every((hash) => known.includes(hash))) return []
  return readFunctions().filter(({ hash }) => !functions.includes(hash))
}

/** What this commit needs and the database lacks, by name. */
export const missingIn = (applied: Applied): string[] => [
  ...missingMigrations(applied.migrations),
  ...functionsToApply(applied).map(({ file }) => file),
]

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
