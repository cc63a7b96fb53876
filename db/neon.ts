import { NeonDbError, neon, neonConfig } from '@neondatabase/serverless'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { drizzle } from 'drizzle-orm/neon-http'
import { type Database, DatabaseUnavailable } from './client.ts'
import { type HttpFetch, makeTransport, type Transport } from './neon-transport.ts'

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
  const connect = (signal: AbortSignal, readOnly: boolean) =>
    drizzle(neon(databaseUrl, { isolationLevel: 'ReadCommitted', readOnly, fetchOptions: { transport, signal } }))

  return {
    run(statement, { readOnly = false } = {}) {
      const signal = AbortSignal.timeout(deadlineMs)
      const attempt = async () => (await connect(signal, readOnly).execute(statement)).rows
      return readOnly ? repeatRead(attempt, signal) : unwrapped(attempt)
    },
    batch([first, ...rest], { readOnly = false } = {}) {
      const signal = AbortSignal.timeout(deadlineMs)
      const attempt = async () => {
        const db = connect(signal, readOnly)
        const others = rest.map((statement) => db.execute(statement))
        return (await db.batch([db.execute(first), ...others])).map((result) => result.rows)
      }
      return readOnly ? repeatRead(attempt, signal) : unwrapped(attempt)
    },
  }
}

async function repeatRead<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pauseMs of READ_PAUSES_MS) {
    try {
      return await unwrapped(attempt)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return unwrapped(attempt)
}

/** Throws what the transport threw, without drizzle's wrapper (its message is the statement and all parameters). */
async function unwrapped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const inner = error instanceof DrizzleQueryError ? error.cause : error
    throw inner instanceof NeonDbError ? (inner.sourceError ?? inner) : inner
  }
}
