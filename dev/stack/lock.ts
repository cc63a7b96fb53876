import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'

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
  const mine: Holder = { pid: process.pid, origin, since: new Date().toISOString() }
  await writeFile(note, JSON.stringify(mine), { mode: 0o600 })
  return {
    lock: {
      async release() {
        await rm(note, { force: true })
        database.close()
      },
    },
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

/** Null when nothing was written, or only half of it. */
async function readHolder(note: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(note, 'utf8')))
  } catch {
    return null
  }
}

/** Whether there is such a process, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
