import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { isAlive } from '../../client/node/file-store.ts'

const holderSchema = z.object({
  pid: z.int().positive(),
  /** Where the holder's stack is found. */
  origin: z.string(),
  since: z.string(),
})

/** Who has a lock, as it wrote itself. */
export type Holder = z.infer<typeof holderSchema>

export interface Lock {
  /** Lets go of it; once. */
  release(): Promise<void>
}

/**
 * Takes the lock that `file` stands for, or tells who has it; null where the holder has not said yet. The lock is SQLite's on that
 * file: it is nobody else's until it is let go of or its process ends, however that ends, so nothing stale is ever to be judged.
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

/** The open database that is the lock; null when another has it. */
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

/** Null when nothing was written yet, only half of it, or what is there a dead process left. */
async function readHolder(note: string): Promise<Holder | null> {
  try {
    const holder = holderSchema.parse(JSON.parse(await readFile(note, 'utf8')))
    return isAlive(holder.pid) ? holder : null
  } catch {
    return null
  }
}
