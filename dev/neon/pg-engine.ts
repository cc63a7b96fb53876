import pg from 'pg'
import type { RawQuery, SqlEngine } from './engine.ts'

const asText: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

/** A real PostgreSQL. Statements of one connection run on a backend of their own, so locks and races are real. */
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
    // Extended mode, as Neon does it: one statement per request even when there are no parameters.
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
