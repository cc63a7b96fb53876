import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, DatabaseUnavailable } from '../../db/client.ts'
import { migrate } from '../../db/migrator.ts'
import { makeNeonDatabase } from '../../db/neon.ts'
import { makePgDatabase } from '../../db/pg.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../lib/log.ts'

const NEON_HOST = /\.neon\.tech$/

/** Neon over HTTP where the URL is Neon's or names such an endpoint, else PostgreSQL over a pool. */
export function chooseDatabase({
  databaseUrl,
  databaseHttpUrl,
}: Pick<Config, 'databaseUrl' | 'databaseHttpUrl'>): Database {
  if (databaseHttpUrl !== undefined) return makeNeonDatabase({ databaseUrl, httpUrl: databaseHttpUrl })
  return NEON_HOST.test(new URL(databaseUrl).hostname) ? makeNeonDatabase({ databaseUrl }) : makePgDatabase(databaseUrl)
}

const LOOK_EVERY_MS = 1_000

/**
 * Brings the database to the newest migration, and waits up to `patienceMs` for it to be there: it often starts beside us. Throws
 * at once when a migration itself fails.
 */
export async function migrateWhenThere(databaseUrl: string, log: Log, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      log.info('migrated', { migrations: await migrate(databaseUrl) })
      return
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || Date.now() >= deadline) throw error
      log.warn('database.awaited', { reason: error.message })
      await sleep(LOOK_EVERY_MS)
    }
  }
}
