import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { isAlive } from '../../client/node/file-store.ts'

const holderSchema = z.object({
  pid: z.int().positive(),
  /** The address of the holder's stack. */
  origin: z.string(),
  since: z.string(),
})

/** The note of a lock's holder. */
export type Holder = z.infer<typeof holderSchema>

export interface Lock {
  /** Releases the lock. Call it once. */
  release(): Promise<void>
}

/**
 * Takes the lock on `file`, or returns its holder; null before the holder has written its note. It is SQLite's lock on that file,
 * which ends when it is released or its process ends, so a stale lock cannot remain.
 */
export async function takeLock(file: string, origin: string): Promise<{ lock: Lock } | { holder: Holder | null }> {
  await mkdir(dirname(file), { recursive: true })
  const database = lockedDatabase(file)
  const note = `${file}.json`
  if (database === null) return { holder: await readHolder(note) }
  const release = async (): Promise<void> => {
    await rm(note, { force: true }).finally(() => database.close())
  }
  try {
    const mine: Holder = { pid: process.pid, origin, since: new Date().toISOString() }
    await writeFile(note, JSON.stringify(mine), { mode: 0o600 })
    return { lock: { release } }
  } catch (error) {
    await release()
    throw error
  }
}

const SQLITE_BUSY = 5

/** The open database that is the lock; null if another process has it. */
function lockedDatabase(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw error
  }
}

/** Null if the note is missing, incomplete, or from a process that ended. */
async function readHolder(note: string): Promise<Holder | null> {
  try {
    const holder = holderSchema.parse(JSON.parse(await readFile(note, 'utf8')))
    return isAlive(holder.pid) ? holder : null
  } catch {
    return null
  }
}
