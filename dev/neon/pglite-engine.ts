import { PGlite } from '@electric-sql/pglite'
import type { RawQuery, SqlEngine } from './protocol.ts'
import { migratePglite } from './template.ts'

/**
 * PostgreSQL in wasm over a data directory, with all migrations applied. It has one connection, so work is queued and no lock wait
 * or deadlock happens. Tests that need those use a real PostgreSQL.
 */
export async function makePgliteEngine(dataDir: string): Promise<SqlEngine> {
  const db = await PGlite.create({ dataDir })
  await migratePglite(db)
  passText(db)
  let queue: Promise<unknown> = Promise.resolve()
  const query: RawQuery = async (text, params) => {
    const { command, rowCount, affectedRows, rows, fields } = await db.query<(string | null)[]>(text, params, {
      rowMode: 'array',
    })
    return { command: command ?? '', rowCount: rowCount ?? affectedRows ?? 0, rows, fields }
  }
  return {
    withConnection(work) {
      const turn = queue.then(() => work(query))
      queue = turn.catch(() => undefined)
      return turn
    },
    async close() {
      await queue
      await db.close()
    },
  }
}

/**
 * Returns every value as text. This changes the tables of the instance: a table passed with each query is merged each time, which
 * takes three quarters of a small query, and a table passed at creation leaves array types parsed.
 */
function passText(db: PGlite): void {
  for (const oid of Object.keys(db.parsers)) db.parsers[Number(oid)] = (text: string) => text
  for (const oid of Object.keys(db.serializers)) db.serializers[Number(oid)] = (value: string) => value
}
