import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const RUNS = join(import.meta.dirname, '../../.coinslot/runs')

export interface StackFolders {
  data: string
  logs: string
  /** Throws the data away unless it is kept; the logs stay until the next start. */
  clean(): Promise<void>
}

/** Folders of one stack: under `state` when it is kept, else under `.coinslot/runs/<pid>-<n>`. */
export async function makeFolders(state: string | undefined): Promise<StackFolders> {
  const base = state === undefined ? await ownRun() : resolve(state)
  const data = join(base, 'data')
  const logs = join(base, 'logs')
  await mkdir(data, { recursive: true, mode: 0o700 })
  await mkdir(logs, { recursive: true })
  const clean = async (): Promise<void> => {
    if (state === undefined) await rm(data, { recursive: true, force: true, maxRetries: 3 })
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
