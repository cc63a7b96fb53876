import { SQL, StringChunk } from 'drizzle-orm'

/** A statement as PostgreSQL takes it: `$1`, `$2`, … in the text, and their values as text or null. */
export interface Statement {
  text: string
  params: (string | null)[]
}

/**
 * Writes out a statement of drizzle's `sql` template. Ours hold texts, statements in statements, and values; those alone are
 * known here, so that neither drizzle's dialect nor its query builders have to be carried along.
 * Throws a TypeError on anything else, and on a value that has no one text (an object: make it JSON first).
 *
 * @example
 * toStatement(sql`select ${7}::int4`) // { text: 'select $1::int4', params: ['7'] }
 */
export function toStatement(statement: SQL): Statement {
  const written: Statement = { text: '', params: [] }
  write(statement.queryChunks, written)
  return written
}

function write(chunks: SQL['queryChunks'], written: Statement): void {
  for (const chunk of chunks) {
    if (chunk instanceof StringChunk) written.text += chunk.value.join('')
    else if (chunk instanceof SQL) write(chunk.queryChunks, written)
    else written.text += `$${written.params.push(toParam(chunk))}`
  }
}

function toParam(value: unknown): string | null {
  if (value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  throw new TypeError('a statement may hold texts, numbers, booleans, times and null')
}
