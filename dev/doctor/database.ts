import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { missingMigrations, readMigrations } from '../../db/migration-files.ts'
import { chooseDatabase } from '../../worker/node/start-database.ts'
import { type Check, fail, ok, skip, wordsOf } from './finding.ts'

const hashesSchema = z.array(z.object({ hash: z.string() }))

/** Whether the database answers the way the service asks it, and has every migration. */
export const checkDatabase: Check = async ({ config }) => {
  const database = chooseDatabase(config)
  const host = new URL(config.databaseHttpUrl ?? config.databaseUrl).host
  const began = performance.now()
  try {
    await database.run(sql`select 1`, { readOnly: true })
  } catch (error) {
    const advice =
      'Start it, or correct DATABASE_URL (on the local stack and elsewhere than Neon: DATABASE_HTTP_URL too). On Neon, see that ' +
      'the project is not suspended for its limits and that the password in the URL is the present one.'
    return [
      fail('database', `${host} does not answer: ${wordsOf(error)}`, advice),
      skip('migrations', 'the database does not answer'),
    ]
  }
  const answered = ok('database', `${host} answers in ${Math.round(performance.now() - began)} ms`)
  const [table] = await database.run(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`)
  const rows = table?.['there'] === true ? await database.run(sql`select hash from drizzle.__drizzle_migrations`) : []
  const missing = missingMigrations(hashesSchema.parse(rows).map(({ hash }) => hash))
  if (missing.length === 0) return [answered, ok('migrations', `all ${readMigrations().length} are in place`)]
  const advice = 'Run `npm run db:migrate` with this DATABASE_URL, before the new version serves anybody.'
  return [
    answered,
    fail('migrations', `not in place, or changed since they were applied: ${missing.join(', ')}`, advice),
  ]
}
