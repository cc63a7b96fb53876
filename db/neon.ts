import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import { type Database, DatabaseUnavailable, type Row } from './client.ts'
import { type HttpFetch, makeTransport, type Transport } from './neon-transport.ts'
import { toValue } from './neon-values.ts'
import { toStatement } from './statement.ts'

export interface NeonOptions {
  /** `postgresql://user:password@host/database`. */
  databaseUrl: string
  /** A Neon-HTTP endpoint that is not Neon's own, e.g. `http://127.0.0.1:4444/sql`. */
  httpUrl?: string
  /** Over one call, with its repeats. Default 10 s. */
  deadlineMs?: number
  fetch?: HttpFetch
}

/** Waits before a read is sent again; a suspended compute answers within these. */
const READ_PAUSES_MS = [100, 400]

const resultSchema = z
  .object({
    fields: z.array(z.object({ name: z.string(), dataTypeID: z.number() })),
    rows: z.array(z.array(z.string().nullable())),
  })
  .transform(({ fields, rows }): Row[] => rows.map((cells) => toRow(fields, cells)))
const batchSchema = z.object({ results: z.array(resultSchema) }).transform(({ results }) => results)

function toRow(fields: readonly { name: string; dataTypeID: number }[], cells: readonly (string | null)[]): Row {
  const row: Row = {}
  for (const [index, { name, dataTypeID }] of fields.entries()) {
    const cell = cells[index] ?? null
    row[name] = cell === null ? null : toValue(cell, dataTypeID)
  }
  return row
}

/**
 * PostgreSQL over Neon's HTTP protocol. Rows are plain objects keyed by column name: `numeric`, `int8`, `date`, `timestamptz`,
 * `uuid` and enums are text as PostgreSQL writes it (`2026-01-02 03:04:05.6+00`); `int4` and `float8` numbers; `bool` booleans;
 * `jsonb` parsed; `text[]` and `int4[]` arrays, but `timestamptz[]`, `date[]` and `numeric[]` array text (`{"…","…"}`).
 *
 * Throws `SqlError` when PostgreSQL refuses a statement, `DatabaseUnavailable` when it cannot be asked.
 *
 * @example
 * const [row] = await makeNeonDatabase({ databaseUrl }).run(sql`select 1::int4 as one`) // { one: 1 }
 */
export function makeNeonDatabase({ databaseUrl, httpUrl, deadlineMs = 10_000, fetch: send }: NeonOptions): Database {
  const transport = makeTransport(httpUrl ?? endpointOf(databaseUrl), send ?? fetch)
  const ask = makeAsker(transport, databaseUrl)
  return {
    run(statement, { readOnly = false } = {}) {
      const body = queryOf(statement)
      return attempts(readOnly, deadlineMs, (signal) => ask(resultSchema, body, {}, signal))
    },
    batch(statements, { readOnly = false } = {}) {
      const body = { queries: statements.map(queryOf) }
      const headers = { 'Neon-Batch-Isolation-Level': 'ReadCommitted', 'Neon-Batch-Read-Only': String(readOnly) }
      return attempts(readOnly, deadlineMs, (signal) => ask(batchSchema, body, headers, signal))
    },
  }
}

/** Neon's own endpoint: one per region, in the place of the compute's name. */
function endpointOf(databaseUrl: string): string {
  return `https://${new URL(databaseUrl).hostname.replace(/^[^.]+/, 'api')}/sql`
}

function queryOf(statement: SQL): { query: string; params: (string | null)[] } {
  const { text, params } = toStatement(statement)
  return { query: text, params }
}

/** Raw text and array mode: every cell as PostgreSQL's text, so that no number passes through a float on the way. */
const makeAsker =
  (transport: Transport, databaseUrl: string) =>
  <T>(schema: z.ZodType<T>, body: unknown, headers: Record<string, string>, signal: AbortSignal): Promise<T> =>
    transport(schema, {
      method: 'POST',
      headers: {
        'Neon-Connection-String': databaseUrl,
        'Neon-Raw-Text-Output': 'true',
        'Neon-Array-Mode': 'true',
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    })

/** One attempt; for reads up to three while the server cannot be asked, within one deadline. */
async function attempts<T>(
  readOnly: boolean,
  deadlineMs: number,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(deadlineMs)
  for (const pauseMs of readOnly ? READ_PAUSES_MS : []) {
    try {
      return await attempt(signal)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return attempt(signal)
}
