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
 * SQLSTATE classes that say nothing about the statement: connection, login, no such database, rollback, resources, operator,
 * system, internal. Neon's proxy reports a suspended or exhausted project with these too.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '3D', '40', '53', '57', '58', 'XX'])

/**
 * Conditions that pass, after which the server has certainly written nothing: serialization, integrity and deadlock rollbacks
 * (40003 leaves it open), a server that only reads for a moment (25006), a transaction that had failed or timed out (25P02 to
 * 25P04), a lock or object in use (55P03, 55006), and a pooler that mixed up prepared statements (26000, 42P05).
 */
const ROLLED_BACK = new Set([
  '40000',
  '40001',
  '40002',
  '40P01',
  '25006',
  '25P02',
  '25P03',
  '25P04',
  '55P03',
  '55006',
  '26000',
  '42P05',
])

/** A plan that a change of the schema made stale. PostgreSQL has no code for it alone. */
const isStalePlan = (code: string, message: string): boolean => code === '0A000' && /cached plan/.test(message)

/** The server's report as an error of this module. A report without an SQLSTATE comes from a proxy, not PostgreSQL. */
export function fromServerReport(report: {
  message: string
  code?: string | null | undefined
  constraint?: string | null | undefined
}): SqlError | DatabaseUnavailable {
  const { code, message } = report
  const detail = `the database cannot serve now (${code || 'no code'}): ${message.slice(0, 200)}`
  if (!code) return new DatabaseUnavailable(detail)
  if (ROLLED_BACK.has(code) || isStalePlan(code, message)) return new DatabaseUnavailable(detail, { rolledBack: true })
  if (UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return new DatabaseUnavailable(detail)
  return new SqlError(code, message, report.constraint ?? undefined)
}

const REPEAT_PAUSE_MS = 100

/** Runs `attempt`, and once more after a condition that passes and left nothing written. */
export async function repeatRolledBack<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || !error.rolledBack) throw error
    await new Promise((resolve) => setTimeout(resolve, REPEAT_PAUSE_MS))
    return attempt()
  }
}
