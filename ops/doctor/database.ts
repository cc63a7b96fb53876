import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import {
  DatabaseOfOtherCommit,
  missingIn,
  readApplied,
  readMigrations,
  refuseOtherCommit,
} from '../../db/migration-files.ts'
import { readMonths } from '../../db/queries/journal-months.ts'
import { chooseDatabase } from '../../worker/node/start-database.ts'
import { type Check, type Finding, fail, ok, skip, wordsOf } from './finding.ts'

const RIGHTS = sql`
  select current_setting('transaction_read_only') = 'on' as read_only,
         (select string_agg(relname, ', ' order by relname) from pg_class
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and not (
            has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') and
            has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))) as forbidden,
         (select string_agg(oid::regprocedure::text, ', ' order by proname) from pg_proc
          where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
            and not has_function_privilege(oid, 'execute')) as uncallable`
const rightsSchema = z.tuple([
  z.object({ read_only: z.boolean(), forbidden: z.string().nullable(), uncallable: z.string().nullable() }),
])

/** A replica, or a role that only reads, answers every query but cannot claim a payment. */
async function faultOfRights(database: Database): Promise<Finding | null> {
  const [{ read_only, forbidden, uncallable }] = rightsSchema.parse(await database.run(RIGHTS))
  if (read_only) {
    return fail(
      'database',
      'it takes no writes',
      'DATABASE_URL: name the primary, not a replica, and a role that may write.',
    )
  }
  if (forbidden !== null) {
    const advice =
      'DATABASE_URL: its role must read and write all tables; take the role that ran the migrations, or grant it.'
    return fail('database', `its role may not read and write ${forbidden}`, advice)
  }
  if (uncallable === null) return null
  const advice = 'grant execute on all functions in schema public to its role, as docs/deploy/roles.sql does.'
  return fail('database', `its role may not call ${uncallable}`, advice)
}

/** Payments of a month without a partition go to the default one, and that keeps their month from being made. */
async function checkMonths(database: Database, now: Date): Promise<Finding> {
  const { missing, outside } = await readMonths(database, now)
  if (missing.length === 0 && outside === 0) return ok('journal', 'the partitions of the coming months are there')
  return fail(
    'journal',
    outside > 0 ? 'payments_default has payments' : `no partition for ${missing.join(', ')}`,
    'The scheduled job makes them once a day: see whether it runs. See "A month of the journal is missing" in docs/runbook.md.',
  )
}

/** Checks that the database answers over the service's own driver, and has every migration and the journal's next months. */
export const checkDatabase: Check = async ({ config, now }) => {
  const database = chooseDatabase(config)
  const host = new URL(config.databaseHttpUrl ?? config.databaseUrl).host
  const began = performance.now()
  try {
    await database.run(sql`select 1`, { readOnly: true })
  } catch (error) {
    const advice =
      'Start it, or correct DATABASE_URL (on the local stack and elsewhere than Neon: DATABASE_HTTP_URL too). On Neon, check that ' +
      'the project is not suspended and that the password in the URL is the current one.'
    return [
      fail('database', `${host} does not answer: ${wordsOf(error)}`, advice),
      skip('migrations', 'the database does not answer'),
    ]
  }
  const answered = ok('database', `${host} answers in ${Math.round(performance.now() - began)} ms`)
  const applied = await readApplied((text) => database.run(sql.raw(text), { readOnly: true }))
  const missing = missingIn(applied)
  if (missing.length === 0) {
    return [
      (await faultOfRights(database)) ?? answered,
      ok('migrations', `all ${readMigrations().length} are in place`),
      await checkMonths(database, now()),
    ]
  }
  return [answered, faultOfMigrations(applied.migrations, missing)]
}

function faultOfMigrations(applied: readonly string[], missing: readonly string[]): Finding {
  try {
    refuseOtherCommit(applied, 'This database')
  } catch (error) {
    if (!(error instanceof DatabaseOfOtherCommit)) throw error
    return fail('migrations', error.message, 'DATABASE_URL: name an empty database, and run `npm run db:migrate`.')
  }
  const advice = 'Run `npm run db:migrate` with this DATABASE_URL, before the new version serves requests.'
  return fail('migrations', `not in place: ${missing.join(', ')}`, advice)
}
