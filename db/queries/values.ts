import { type SQL, sql } from 'drizzle-orm'

/** A time as a typed parameter. */
export const at = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`

/** A JSON value as a typed parameter. */
export const json = (value: unknown): SQL => sql`${JSON.stringify(value)}::jsonb`

/** Texts as an array parameter, e.g. for `= any(…)`. Texts must not hold quotes, commas or braces: enum names, hex. */
export const texts = (values: readonly string[], type = 'text'): SQL =>
  sql`${`{${values.join(',')}}`}::${sql.raw(type)}[]`
