import type { SQL } from 'drizzle-orm'

/** A row as the driver gives it: text for numeric and timestamps, parsed JSON, numbers for int4. */
export type Row = Record<string, unknown>

/**
 * The database as the queries see it: single statements and atomic batches, nothing interactive, so that Neon over HTTP
 * and plain PostgreSQL behave alike. Methods throw `DatabaseUnavailable` when the server cannot be asked.
 */
export interface Database {
  run(statement: SQL): Promise<Row[]>
  /** One round trip, one READ COMMITTED transaction, each statement with a snapshot of its own; all or nothing. */
  batch(statements: readonly [SQL, ...SQL[]]): Promise<Row[][]>
}

/** The database did not answer. Whether a write reached it is not known. */
export class DatabaseUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'DatabaseUnavailable'
  }
}
