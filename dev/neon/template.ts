import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import { applyMigrations } from '../../db/apply-migrations.ts'
import {
  missingIn,
  readApplied,
  readFunctions,
  readMigrations,
  refuseOtherCommit,
  sha256,
} from '../../db/migration-files.ts'

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const CACHE = join(NODE_MODULES, '.cache/coinslot')

/** Copies the migrated template, or one without tables, to `dataDir`, which must not exist. */
export async function copyTemplate(dataDir: string, options: { empty?: boolean } = {}): Promise<void> {
  const template = await (options.empty ? emptyTemplate() : migratedTemplate())
  const partial = `${dataDir}.partial-${process.pid}`
  cpSync(template, partial, { recursive: true })
  renameSync(partial, dataDir)
}

/**
 * A data directory with all migrations applied. It is made once per PGlite version, set of migrations, and month: the migrations make
 * the journal's partitions from the present month on.
 */
export function migratedTemplate(): Promise<string> {
  const month = new Date().toISOString().slice(0, 7)
  return cached(`pglite-${pgliteVersion()}-${migrationsKey()}-${month}`, async (dataDir) => {
    cpSync(await emptyTemplate(), dataDir, { recursive: true })
    await openAndClose(dataDir, migratePglite)
  })
}

/**
 * A data directory without tables, made once per PGlite version. PGlite takes 5 to 20 seconds to make one, so a new migration
 * starts from a copy.
 */
function emptyTemplate(): Promise<string> {
  return cached(`pglite-${pgliteVersion()}-empty`, (dataDir) => openAndClose(dataDir, async () => undefined))
}

/** The folder of that name in the cache, made at its first use. If two processes make it, the first to rename it wins. */
async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name)
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const partial = mkdtempSync(`${folder}.partial-`)
  try {
    await make(partial)
    renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return folder
}

async function openAndClose(dataDir: string, work: (db: PGlite) => Promise<void>): Promise<void> {
  const db = await PGlite.create({ dataDir })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** Applies missing migrations and functions, as `npm run db:migrate` does. */
export async function migratePglite(db: PGlite): Promise<void> {
  const appliedIn = () => readApplied(async (text) => (await db.query<Record<string, unknown>>(text)).rows)
  const applied = await appliedIn()
  if (missingIn(applied).length === 0) return
  refuseOtherCommit(applied.migrations, 'The database in this data directory')
  await applyMigrations(db)
  const missing = missingIn(await appliedIn())
  if (missing.length > 0) throw new Error(`Not in place: ${missing.join(', ')}. Start with a new directory.`)
}

const migrationsKey = (): string => sha256(JSON.stringify([readMigrations(), readFunctions()])).slice(0, 16)

function pgliteVersion(): string {
  const text = readFileSync(join(NODE_MODULES, '@electric-sql/pglite/package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
