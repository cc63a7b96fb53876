import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isAlive } from '../../client/node/file-store.ts'
import { type Holder, takeLock } from './lock.ts'

const RUNS = join(import.meta.dirname, '../../.coinslot/runs')

export interface StackFolders {
  data: string
  logs: string
  /** Deletes the data unless it is kept, and releases the lock. The logs stay until the next start. */
  clean(): Promise<void>
}

/** Another stack uses that state. */
export class StateTakenError extends Error {
  constructor(base: string, holder: Holder | null) {
    const who = holder === null ? '' : ` at ${holder.origin} (process ${holder.pid}, since ${holder.since})`
    super(`${base} is in use by the stack${who}: end that one first, or choose another --state`)
    this.name = 'StateTakenError'
  }
}

/**
 * Folders of the stack at `origin`: under `state` when it is kept, else under `.coinslot/runs/<pid>-<n>`.
 * Throws `StateTakenError`: two stacks on one state would corrupt its chain and database.
 */
export async function makeFolders(state: string | undefined, origin: string): Promise<StackFolders> {
  const base = state === undefined ? await ownRun() : resolve(state)
  const answer = await takeLock(join(base, 'stack.lock'), origin)
  if ('holder' in answer) throw new StateTakenError(base, answer.holder)
  const data = join(base, 'data')
  const logs = join(base, 'logs')
  await mkdir(data, { recursive: true, mode: 0o700 })
  await mkdir(logs, { recursive: true })
  const clean = async (): Promise<void> => {
    if (state === undefined) await rm(data, { recursive: true, force: true, maxRetries: 3 })
    await answer.lock.release()
  }
  return { data, logs, clean }
}

let count = 0

async function ownRun(): Promise<string> {
  await mkdir(RUNS, { recursive: true })
  for (const name of await readdir(RUNS)) {
    if (!isAlive(Number.parseInt(name, 10))) await rm(join(RUNS, name), { recursive: true, force: true })
  }
  count += 1
  return join(RUNS, `${process.pid}-${count}`)
}
