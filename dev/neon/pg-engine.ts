import pg from 'pg'
import type { RawQuery, SqlEngine } from './protocol.ts'

const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

/** A real PostgreSQL. Each connection has its own backend, so locks and races are real. */
export function makePgEngine(databaseUrl: string): SqlEngine {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  pool.on('error', () => undefined)
  return {
    async withConnection(work) {
      const client = await pool.connect()
      let healthy = false
      try {
        const result = await work(queryOf(client))
        healthy = true
        return result
      } catch (error) {
        healthy = error instanceof pg.DatabaseError && error.severity !== 'FATAL'
        throw error
      } finally {
        client.release(!healthy)
      }
    },
    close: () => pool.end(),
  }
}

function queryOf(client: pg.PoolClient): RawQuery {
  return async (text, values) => {
    // Extended mode, as in Neon: one statement per request even without parameters.
    const config = { text, values, rowMode: 'array' as const, types: asText, queryMode: 'extended' }
    const { command, rowCount, rows, fields } = await client.query<(string | null)[]>(config)
    return {
      command,
      rowCount: rowCount ?? 0,
      rows,
      fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
    }
  }
}
