import { PGlite, protocol } from '@electric-sql/pglite'
import type { RawQuery, RawResult, SqlEngine } from './protocol.ts'
import { migratePglite } from './template.ts'

const { serialize, messages: kinds } = protocol

/** Statements that are kept prepared. Each of the worker's has a few texts. */
export const MOST_PREPARED = 400

/**
 * PostgreSQL in wasm over a data directory, with all migrations applied. It has one connection, so work is queued and no lock wait
 * or deadlock happens. Tests that need those use a real PostgreSQL.
 */
export async function makePgliteEngine(dataDir: string): Promise<SqlEngine> {
  const db = await PGlite.create({ dataDir })
  await migratePglite(db)
  let queue: Promise<unknown> = Promise.resolve()
  const query = preparedQueries(db)
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
 * Runs statements in one call of wasm each, and keeps them prepared by their text: to read and plan a small one takes wasm longer than to
 * run it.
 */
function preparedQueries(db: PGlite): RawQuery {
  const names = new Map<string, string>()
  let made = 0
  const run = (...messages: Uint8Array[]) => db.execProtocol(Buffer.concat([...messages, serialize.sync()]))
  const close = (name: string) => run(serialize.close({ type: 'S', name }))
  const forgetOldest = async (): Promise<void> => {
    const [oldest] = names
    if (oldest === undefined) return
    names.delete(oldest[0])
    await close(oldest[1])
  }
  return async (text, values) => {
    const known = names.get(text)
    const name = known ?? `s${made++}`
    const parts = [
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
    ]
    if (known !== undefined) return resultOf((await run(...parts)).messages)
    if (names.size >= MOST_PREPARED) await forgetOldest()
    const { messages } = await run(serialize.parse({ name, text }), ...parts).catch(async (error: unknown) => {
      await close(name)
      throw error
    })
    names.set(text, name)
    return resultOf(messages)
  }
}

type BackendMessages = Awaited<ReturnType<PGlite['execProtocol']>>['messages']

function resultOf(messages: BackendMessages): RawResult {
  const result: RawResult = { command: '', rowCount: 0, rows: [], fields: [] }
  for (const message of messages) {
    if (message instanceof kinds.DataRowMessage) result.rows.push(message.fields)
    if (message instanceof kinds.RowDescriptionMessage) {
      result.fields = message.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
    }
    if (message instanceof kinds.CommandCompleteMessage) {
      // Such as `INSERT 0 1` and `BEGIN`.
      const [command = '', ...counts] = message.text.split(' ')
      Object.assign(result, { command, rowCount: Number(counts.at(-1) ?? 0) || 0 })
    }
  }
  return result
}
