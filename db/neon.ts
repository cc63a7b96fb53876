import { NeonDbError, neon, neonConfig, types } from '@neondatabase/serverless'
import type { SQL } from 'drizzle-orm'
import { type Database, DatabaseUnavailable, TEXT_TYPES } from './client.ts'
import { withinMs } from './deadline.ts'
import { repeatRolledBack } from './errors.ts'
import { type HttpFetch, makeTransport, type Transport } from './neon-transport.ts'
import { toPostgres } from './statement.ts'

export interface NeonOptions {
  /** `postgresql://user:password@host/database`. */
  databaseUrl: string
  /** A Neon-HTTP endpoint that is not Neon's own, e.g. `http://127.0.0.1:4444/sql`. */
  httpUrl?: string
  /** Over one call, with its repeats. Default 10 s. */
  deadlineMs?: number
  fetch?: HttpFetch
}

/**
 * The driver takes its fetch and its endpoint from one global only. This global keeps nothing: it hands each request to the
 * transport that came along in `fetchOptions`, so that two databases can live in one process.
 */
neonConfig.fetchFunction = (url: string, init: RequestInit & { transport: Transport }) => {
  const { transport, ...request } = init
  return transport(url, request)
}

const parsers = {
  getTypeParser: (oid: number) => (TEXT_TYPES.has(oid) ? String : types.getTypeParser(oid)),
}

/** Waits before a read is sent again; a suspended compute answers within these. */
const READ_PAUSES_MS = [100, 400]

/**
 * Neon over HTTP. Rows are plain objects keyed by column name: `numeric`, `int8`, `date`, `timestamptz`, `uuid` and enums
 * are text as PostgreSQL writes it (`2026-01-02 03:04:05.6+00`); `int4` and `float8` numbers; `bool` booleans; `jsonb`
 * parsed; `text[]` and `int4[]` arrays, but `timestamptz[]`, `date[]` and `numeric[]` array text (`{"…","…"}`).
 *
 * Throws `SqlError` when PostgreSQL refuses a statement, `DatabaseUnavailable` when it cannot be asked.
 *
 * @example
 * const [row] = await makeNeonDatabase({ databaseUrl }).run(sql`select 1::int4 as one`) // { one: 1 }
 */
export function makeNeonDatabase(options: NeonOptions): Database {
  const { databaseUrl, deadlineMs = 10_000 } = options
  const transport = makeTransport(options)
  const client = neon(databaseUrl)
  const query = (statement: SQL, fetchOptions: object) => {
    const { sql, params } = toPostgres(statement)
    return client.query(sql, params, { types: parsers, fetchOptions })
  }

  const send = <T>(readOnly: boolean, attempt: (fetchOptions: object) => Promise<T>): Promise<T> =>
    withinMs(
      deadlineMs,
      (signal) => {
        const once = (): Promise<T> => attempt({ transport, signal }).catch(rethrowUnwrapped)
        return readOnly ? repeatRead(once, signal) : repeatRolledBack(once)
      },
      () => new DatabaseUnavailable('the database did not answer in time'),
    )

  return {
    run: (statement, { readOnly = false } = {}) =>
      send(readOnly, async (fetchOptions) => query(statement, fetchOptions)),
    batch: (statements, { readOnly = false } = {}) =>
      send(readOnly, (fetchOptions) => {
        const queries = statements.map((statement) => query(statement, fetchOptions))
        return client.transaction(queries, { isolationLevel: 'ReadCommitted', readOnly, fetchOptions })
      }),
  }
}

async function repeatRead<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pauseMs of READ_PAUSES_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return attempt()
}

/** Throws what the transport threw, without the driver's wrapper. */
function rethrowUnwrapped(error: unknown): never {
  throw error instanceof NeonDbError ? (error.sourceError ?? error) : error
}
