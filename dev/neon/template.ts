import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import { missingMigrations, readMigrations, sha256 } from '../../db/migration-files.ts'

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const CACHE = join(NODE_MODULES, '.cache/coinslot')

/** Fills `dataDir`, which must not exist, with an empty, migrated database: a copy of the template. */
export async function copyTemplate(dataDir: string): Promise<void> {
  const template = await migratedTemplate()
  const partial = `${dataDir}.partial-${process.pid}`
  cpSync(template, partial, { recursive: true })
  renameSync(partial, dataDir)
}

/**
 * A data directory with all migrations applied, made once per PGlite version and set of migrations. Making one takes
 * seconds, copying it milliseconds. Two processes may both make it; the first to rename wins and the other uses that.
 */
export async function migratedTemplate(): Promise<string> {
  const template = join(CACHE, `pglite-${pgliteVersion()}-${migrationsKey()}`)
  if (existsSync(template)) return template
  mkdirSync(CACHE, { recursive: true })
  const partial = mkdtempSync(`${template}.partial-`)
  try {
    await migrateDataDir(partial)
    renameSync(partial, template)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(template)) throw error
  }
  return template
}

/** Applies what is missing to a data directory that nobody has open. */
async function migrateDataDir(dataDir: string): Promise<void> {
  const db = await PGlite.create({ dataDir })
  try {
    await migratePglite(db)
  } finally {
    await db.close()
  }
}

/** Applies what is missing. drizzle's migrator is loaded only then: loading it takes longer than opening the database. */
export async function migratePglite(db: PGlite): Promise<void> {
  if ((await missingIn(db)).length === 0) return
  const { applyMigrations } = await import('./apply-migrations.ts')
  await applyMigrations(db)
  const missing = await missingIn(db)
  if (missing.length > 0) throw new Error(`Migrations not in place: ${missing.join(', ')}. Start with a new directory.`)
}

async function missingIn(db: PGlite): Promise<string[]> {
  const [table] = (await db.query("select to_regclass('drizzle.__drizzle_migrations') is not null as there")).rows
  const { there } = z.object({ there: z.boolean() }).parse(table)
  const applied = there ? (await db.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')).rows : []
  return missingMigrations(applied.map((row) => row.hash))
}

const migrationsKey = (): string => sha256(JSON.stringify(readMigrations())).slice(0, 16)

function pgliteVersion(): string {
  const text = readFileSync(join(NODE_MODULES, '@electric-sql/pglite/package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
