import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import * as z from 'zod'
import { MIGRATIONS_FOLDER, missingMigrations, readMigrations, sha256 } from '../../db/migration-files.ts'

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
export async function migrateDataDir(dataDir: string): Promise<void> {
  const db = await PGlite.create({ dataDir })
  try {
    await migrate(drizzle(db), { migrationsFolder: MIGRATIONS_FOLDER })
    const applied = await db.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')
    const missing = missingMigrations(applied.rows.map((row) => row.hash))
    if (missing.length > 0) throw new Error(`Not in place in ${dataDir}: ${missing.join(', ')}. Start with a new one.`)
  } finally {
    await db.close()
  }
}

const migrationsKey = (): string => sha256(JSON.stringify(readMigrations())).slice(0, 16)

function pgliteVersion(): string {
  const text = readFileSync(join(NODE_MODULES, '@electric-sql/pglite/package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
