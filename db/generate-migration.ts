import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { MIGRATIONS_FOLDER } from './migration-files.ts'

const TAG = '0000_start'
/** Unix milliseconds. It stays as it is: the hash distinguishes one text of the migration from another. */
const WHEN = Date.UTC(2026, 11, 1)
const ID = '00000000-0000-0000-0000-000000000001'
const BREAK = '\n--> statement-breakpoint\n'

/**
 * Writes the one migration again: the tables of `db/schema`, the journal in parts by month, and the triggers and first months of `db/start`, which
 * drizzle does not know. From version 1.0.0 on databases are kept: then `drizzle-kit generate` adds a migration for each change.
 */
export async function writeMigration(folder = MIGRATIONS_FOLDER): Promise<void> {
  const snapshot = { ...generateDrizzleJson(await readSchema()), id: ID }
  const tables = await generateMigration(generateDrizzleJson({}), snapshot)
  const statements = [...tables.map((statement) => statement.trim()).map(byMonth), ...readStart()]
  const entry = { idx: 0, version: snapshot.version, when: WHEN, tag: TAG, breakpoints: true }
  mkdirSync(join(folder, 'meta'), { recursive: true })
  writeFileSync(join(folder, `${TAG}.sql`), `${statements.join(BREAK)}\n`)
  writeFileSync(join(folder, 'meta/0000_snapshot.json'), `${JSON.stringify(snapshot, null, 2)}\n`)
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    `${JSON.stringify({ version: snapshot.version, dialect: 'postgresql', entries: [entry] }, null, 2)}\n`,
  )
}

/** Everything in the folder of the schema, so that no file of it is forgotten, by name: the order in which tables are made. */
export async function readSchema(): Promise<Record<string, unknown>> {
  const files = readdirSync(join(import.meta.dirname, 'schema')).sort()
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(`./schema/${file}`)))
  return Object.fromEntries(modules.flatMap(Object.entries).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The table of payments is the parent of one partition per month. */
const byMonth = (statement: string): string =>
  statement.startsWith('CREATE TABLE "payments" (')
    ? statement.replace(/\);$/, ') PARTITION BY RANGE ("created_at");')
    : statement

function readStart(): string[] {
  const folder = join(import.meta.dirname, 'start')
  const files = readdirSync(folder).sort()
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
}

if (import.meta.main) await writeMigration()
