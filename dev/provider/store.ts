import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTerminal, type PredictionRecord, type WebhookEvent } from './types.ts'

export type Change = WebhookEvent | 'created'
type Listener = (record: PredictionRecord, changes: readonly Change[]) => void

export interface PageQuery {
  after?: number
  before?: number
  cursor?: string
  size: number
}

export interface Page {
  results: PredictionRecord[]
  next: string | null
  previous: string | null
}

const RETENTION_MS = 3_600_000

export type Store = ReturnType<typeof createStore>

/** All runs, newest first. With `dir` they survive a restart. `dropFile` is called for each expired file. */
export function createStore(options: {
  now: () => number
  dir?: string | undefined
  dropFile: (name: string) => void
}) {
  const directory = options.dir === undefined ? undefined : join(options.dir, 'predictions')
  const records = new Map<string, PredictionRecord>()
  const listeners = new Set<Listener>()
  for (const record of load(directory)) records.set(record.id, record)

  const save = (record: PredictionRecord): void => {
    if (directory) writeFileSync(join(directory, `${record.id}.json`), JSON.stringify(record))
  }

  /** Removes input, output, logs and files; only the run's status remains. */
  const removeData = (record: PredictionRecord): void => {
    for (const name of record.files) options.dropFile(name)
    Object.assign(record, { input: {}, output: null, logs: '', files: [], dataRemoved: true })
    save(record)
  }

  const expire = (record: PredictionRecord): PredictionRecord => {
    const over = record.completedAt !== null && options.now() - record.completedAt >= RETENTION_MS
    if (over && !record.dataRemoved) removeData(record)
    return record
  }

  return {
    insert(record: PredictionRecord): void {
      records.set(record.id, record)
      save(record)
      for (const listener of listeners) listener(record, ['created'])
    },
    get(id: string): PredictionRecord | undefined {
      const record = records.get(id)
      return record && expire(record)
    },
    all(): PredictionRecord[] {
      return [...records.values()].map(expire)
    },
    /** Changes a run unless it has ended. Returns whether it changed. */
    update(record: PredictionRecord, patch: Partial<PredictionRecord>, ...changes: Change[]): boolean {
      if (isTerminal(record)) return false
      Object.assign(record, patch)
      if (isSaved(changes)) save(record)
      for (const listener of [...listeners]) listener(record, changes)
      return true
    },
    removeData,
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Resolves when the run has ended, or after `ms`. True if it ended. */
    ended: (record: PredictionRecord, ms: number): Promise<boolean> => waitForEnd(listeners, record, ms),
    page(query: PageQuery): Page {
      return pageOf([...records.values()].map(expire).reverse(), query)
    },
  }
}

/** Pieces and logs are many, and a restart needs only the run's status. */
function isSaved(changes: readonly Change[]): boolean {
  return changes.length === 0 || !changes.every((change) => change === 'output' || change === 'logs')
}

function waitForEnd(listeners: Set<Listener>, record: PredictionRecord, ms: number): Promise<boolean> {
  if (isTerminal(record)) return Promise.resolve(true)
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      listeners.delete(listener)
      resolve(isTerminal(record))
    }
    const listener: Listener = (changed) => {
      if (changed === record && isTerminal(record)) finish()
    }
    const timer = setTimeout(finish, ms)
    listeners.add(listener)
  })
}

/** A cursor names the last run of a page, so that runs created meanwhile shift nothing. */
function pageOf(newestFirst: PredictionRecord[], { after, before, cursor, size }: PageQuery): Page {
  const rows = newestFirst.filter(
    ({ createdAt }) => (after === undefined || createdAt >= after) && (before === undefined || createdAt <= before),
  )
  const edge = rows.findIndex(({ id }) => id === cursor?.slice(1))
  const backwards = cursor?.startsWith('p') && edge !== -1
  const start = backwards ? Math.max(0, edge - size) : edge + 1
  const results = rows.slice(start, backwards ? edge : start + size)
  const [first, last] = [results[0], results.at(-1)]
  return {
    results,
    next: last && start + results.length < rows.length ? `n${last.id}` : null,
    previous: first && start > 0 ? `p${first.id}` : null,
  }
}

function load(directory: string | undefined): PredictionRecord[] {
  if (directory === undefined) return []
  mkdirSync(directory, { recursive: true })
  return readdirSync(directory)
    .map((name): PredictionRecord => JSON.parse(readFileSync(join(directory, name), 'utf8')))
    .sort((a, b) => a.createdAt - b.createdAt)
}
