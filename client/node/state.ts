import { closeSync, mkdirSync, openSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const TABLES = `
  create table if not exists payments (
    id text primary key, origin text not null, payer text not null, body text not null, header text not null,
    network text not null, asset text not null, amount text not null, valid_before integer not null,
    inference_id text, holder_pid integer, held_until integer
  ) strict;
  create table if not exists spendings (
    id text primary key, payer text not null, amount_atomic integer not null, taken_at integer not null
  ) strict;
`

/** How long a process waits for another one's transaction. */
const BUSY_MS = 10_000

/** Where the command line keeps its state: under `XDG_STATE_HOME`, else `~/.local/state`. */
export function stateFile(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state')
  return join(base, 'coinslot', 'state.db')
}

/** The state between calls: signed payments and spendings. */
export interface State {
  readonly database: DatabaseSync
  /** Runs `work` in a write transaction. An error rolls it back. */
  exclusive<Value>(work: () => Value): Value
  close(): void
}

/**
 * Opens the state file, readable by its owner only. SQLite's locks end with their process, so a killed process does not block the
 * next.
 */
export function openState(file: string = stateFile()): State {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file)
  database.exec(`pragma busy_timeout = ${BUSY_MS}`)
  database.exec(TABLES)
  return {
    database,
    exclusive: (work) => {
      database.exec('begin immediate')
      try {
        const value = work()
        database.exec('commit')
        return value
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
    close: () => database.close(),
  }
}
