import type { SQL } from 'drizzle-orm'

/** A row as the driver returns it: text for numeric and timestamps, parsed JSON, numbers for int4. */
export type Row = Record<string, unknown>

export interface RunOptions {
  /** Nothing is changed, so it may be sent again when the server cannot be asked. A write never is. */
  readOnly?: boolean
}

/**
 * The database as the queries see it: single statements and atomic batches, nothing interactive, so that Neon over HTTP
 * and plain PostgreSQL behave alike. Methods throw `DatabaseUnavailable` when the server cannot be asked and `SqlError` when it refuses.
 */
export interface Database {
  run(statement: SQL, options?: RunOptions): Promise<Row[]>
  /** One round trip, one READ COMMITTED transaction, each statement with its own snapshot; all or nothing. */
  batch(statements: readonly [SQL, ...SQL[]], options?: RunOptions): Promise<Row[][]>
}

/** The database could not serve a statement at this moment. */
export class DatabaseUnavailable extends Error {
  /** True when the server said that nothing was written. Otherwise it is not known whether a write reached it. */
  readonly rolledBack: boolean

  constructor(detail: string, { rolledBack = false, ...options }: ErrorOptions & { rolledBack?: boolean } = {}) {
    super(detail, options)
    this.name = 'DatabaseUnavailable'
    this.rolledBack = rolledBack
  }
}

/** True if an error of `run` or `batch` is a unique violation: a row with that key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined
  return code(error) === '23505' || (error instanceof Error && code(error.cause) === '23505')
}

/**
 * OIDs of what both drivers hand on as PostgreSQL writes it: timestamps, dates, intervals and arrays of them, and `numeric[]`.
 * Their own parsers would read them in the machine's time zone, or as floats.
 */
export const TEXT_TYPES: ReadonlySet<number> = new Set([1082, 1114, 1115, 1182, 1184, 1185, 1186, 1187, 1231])

/** Neon's pooled host multiplexes sessions, which would break a session's lock: its direct host is the same without `-pooler`. */
export function directUrl(url: string): URL {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error('DATABASE_URL must look like postgresql://user:password@host/database')
  }
  const target = new URL(url)
  if (target.hostname.endsWith('.neon.tech')) target.hostname = target.hostname.replace('-pooler.', '.')
  return target
}
