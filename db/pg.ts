import type { SQL } from 'drizzle-orm'
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Row, TEXT_TYPES } from './client.ts'
import { fromServerReport, repeatRolledBack, SqlError } from './errors.ts'
import { toPostgres } from './statement.ts'

export interface PgDatabase extends Database {
  close(): Promise<void>
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (TEXT_TYPES.has(oid) ? String : pg.types.getTypeParser(oid, format)),
}

const DEADLINE_MS = 10_000

/** A new connection has to plan each statement, and compile each function, anew. */
const IDLE_MS = 10 * 60_000

/** Texts of statements that each connection keeps prepared; any further ones are planned at each call. */
const MOST_PREPARED = 400

/**
 * Plain PostgreSQL over a pool of connections, for hosts other than Workers. Rows have the shapes of `makeNeonDatabase`, and
 * errors are the same. Only what was certainly rolled back is sent again, once; the pool replaces a lost connection by itself.
 */
export function makePgDatabase(databaseUrl: string): PgDatabase {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: DEADLINE_MS,
    query_timeout: DEADLINE_MS,
    statement_timeout: DEADLINE_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    types,
  })
  // The server dropped an idle connection. No caller is affected: the pool has already removed it.
  pool.on('error', () => undefined)

  return {
    run: (statement) => repeatRolledBack(() => withConnection(pool, (client) => query(client, statement))),
    batch: (statements, { readOnly = false } = {}) =>
      repeatRolledBack(() => withConnection(pool, (client) => transaction(client, statements, readOnly))),
    close: () => pool.end(),
  }
}

async function transaction(client: pg.PoolClient, statements: readonly SQL[], readOnly: boolean): Promise<Row[][]> {
  await client.query(`begin isolation level read committed ${readOnly ? 'read only' : 'read write'}`)
  const results: Row[][] = []
  for (const statement of statements) results.push(await query(client, statement))
  await client.query('commit')
  return results
}

async function query(client: pg.PoolClient, statement: SQL): Promise<Row[]> {
  const { sql: text, params: values } = toPostgres(statement)
  const name = nameOf(text)
  const result = await client.query<Row>(name === undefined ? { text, values } : { name, text, values })
  return result.rows
}

const names = new Map<string, string>()

/** The name under which a connection keeps this statement prepared: PostgreSQL then reads and plans it once. */
function nameOf(text: string): string | undefined {
  if (!names.has(text) && names.size < MOST_PREPARED) names.set(text, `s${names.size}`)
  return names.get(text)
}

/** Runs `work` on one connection. After a refusal it is rolled back and kept, after anything else it is closed. */
async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw fromPg(error)
  })
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (thrown) {
    const error = fromPg(thrown)
    client.release(!(await isClean(client, error)))
    throw error
  }
}

/** A server that only reads for a moment may have a successor, which a new connection finds. */
async function isClean(client: pg.PoolClient, error: Error): Promise<boolean> {
  if (!(error instanceof SqlError)) return false
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

function fromPg(error: unknown): Error {
  if (error instanceof pg.DatabaseError) return fromServerReport(error)
  if (error instanceof TypeError) return error // a parameter that cannot be sent: the program's fault
  return new DatabaseUnavailable('the database cannot be reached', { cause: error })
}
