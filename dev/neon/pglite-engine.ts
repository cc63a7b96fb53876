import { PGlite } from '@electric-sql/pglite'
import type { RawQuery, SqlEngine } from './engine.ts'
import { migratePglite } from './template.ts'

/**
 * PostgreSQL in wasm over a data directory, brought to the newest migration. It has one connection, so work is queued: it never shows a lock wait or a
 * deadlock. What depends on those is tested on a real PostgreSQL.
 */
export async function makePgliteEngine(dataDir: string): Promise<SqlEngine> {
  const db = await PGlite.create({ dataDir })
  await migratePglite(db)
  leaveText(db)
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
 * Makes every value pass as text. The instance's own tables are changed because a table given with each query is merged
 * anew each time (three quarters of a small query's time), and one given at creation leaves array types parsed.
 */
function leaveText(db: PGlite): void {
  for (const oid of Object.keys(db.parsers)) db.parsers[Number(oid)] = (text: string) => text
  for (const oid of Object.keys(db.serializers)) db.serializers[Number(oid)] = (value: string) => value
}
