import { DatabaseUnavailable } from './client.ts'

/**
 * PostgreSQL refused a statement. `code` is its SQLSTATE, e.g. `23505` for a unique violation, and `constraint` names the
 * constraint that did it. The message is the server's own line: it never holds the statement or its parameters.
 */
export class SqlError extends Error {
  readonly code: string
  readonly constraint: string | undefined

  constructor(code: string, message: string, constraint?: string) {
    super(message)
    this.name = 'SqlError'
    this.code = code
    this.constraint = constraint
  }
}

/**
 * SQLSTATE classes that say nothing about the statement: connection, login, no such database, resources, operator, system,
 * internal. Neon's proxy reports a suspended or exhausted project with these too.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '3D', '53', '57', '58', 'XX'])

/** What the server reported, as an error of ours. A report without an SQLSTATE comes from a proxy, not from PostgreSQL. */
export function fromServerReport(report: {
  message: string
  code?: string | null | undefined
  constraint?: string | null | undefined
}): SqlError | DatabaseUnavailable {
  const { code } = report
  if (!code || UNAVAILABLE_CLASSES.has(code.slice(0, 2))) {
    return new DatabaseUnavailable(
      `the database cannot serve now (${code || 'no code'}): ${report.message.slice(0, 200)}`,
    )
  }
  return new SqlError(code, report.message, report.constraint ?? undefined)
}
