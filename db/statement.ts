import type { SQL } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'

const quoted = (text: string, quote: string): string => quote + text.replaceAll(quote, quote + quote) + quote

const POSTGRES = {
  casing: new CasingCache(),
  escapeName: (name: string) => quoted(name, '"'),
  escapeParam: (index: number) => `$${index + 1}`,
  escapeString: (text: string) => quoted(text, "'"),
}

/**
 * The text of a statement with `$1`, `$2`, … and what they stand for, as drizzle's `PgDialect` gives it. That class also
 * brings the whole query builder, which no statement of ours uses: 5 KiB of the worker.
 */
export function toPostgres(statement: SQL): { sql: string; params: unknown[] } {
  const { sql, params } = statement.toQuery(POSTGRES)
  return { sql, params }
}
