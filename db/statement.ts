import { SQL, type SQLChunk, StringChunk, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'

const quoted = (text: string, quote: string): string => quote + text.replaceAll(quote, quote + quote) + quote

const POSTGRES = {
  casing: new CasingCache(),
  escapeName: (name: string) => quoted(name, '"'),
  escapeParam: (index: number) => `$${index + 1}`,
  escapeString: (text: string) => quoted(text, "'"),
}

/**
 * The text of a statement with `$1`, `$2`, … and what they stand for, as drizzle's `PgDialect` returns it. That class also
 * brings the whole query builder, which no statement here uses: 5 KiB of the worker.
 */
export function toPostgres(statement: SQL): { sql: string; params: unknown[] } {
  const params: unknown[] = []
  const plain = plainText(statement, params)
  if (plain !== null) return { sql: plain, params }
  const { sql, params: drizzleParams } = statement.toQuery(POSTGRES)
  return { sql, params: drizzleParams }
}

/**
 * The text of a statement that is made of texts, values and further such statements alone, as those of a purchase are, its values
 * added to `params`; null of any other, for drizzle to write. Drizzle asks of each part whether it is one of twelve things.
 */
function plainText(statement: SQL, params: unknown[]): string | null {
  // Set by `inlineParams()`; drizzle does not export it.
  if (Reflect.get(statement, 'shouldInlineParams') === true) return null
  let text = ''
  for (const chunk of statement.queryChunks) {
    const part = chunk instanceof SQL ? plainText(chunk, params) : plainPart(chunk, params)
    if (part === null) return null
    text += part
  }
  return text
}

function plainPart(chunk: SQLChunk, params: unknown[]): string | null {
  if (chunk instanceof StringChunk) return chunk.value.join('')
  if (typeof chunk !== 'string' && typeof chunk !== 'number' && chunk !== null) return null
  return `$${params.push(chunk)}`
}

/** A time as a typed parameter. */
export const at = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`

/** A JSON value as a typed parameter. */
export const json = (value: unknown): SQL => sql`${JSON.stringify(value)}::jsonb`

/** Texts as an array parameter, e.g. for `= any(…)`. Texts must not hold quotes, commas or braces: enum names, hex. */
export const texts = (values: readonly string[], type = 'text'): SQL =>
  sql`${`{${values.join(',')}}`}::${sql.raw(type)}[]`
