import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { MIGRATIONS_FOLDER } from '../../db/migration-files.ts'

/** drizzle's migrator over PGlite. */
export const applyMigrations = (db: PGlite): Promise<void> =>
  migrate(drizzle(db), { migrationsFolder: MIGRATIONS_FOLDER })
