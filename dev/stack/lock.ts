import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'

const holderSchema = z.object({
  pid: z.int().positive(),
  /** Where the holder's stack is found. */
  origin: z.string(),
  since: z.string(),
  /** Tells the locks of one process apart. */
  id: z.string(),
})

/** Who has a lock. */
export type Holder = z.infer<typeof holderSchema>

export interface Lock {
  /** Lets go of it. Harmless when somebody else has it by now. */
  release(): Promise<void>
}

/** Takes the lock that `file` stands for, or tells who has it. What a process left that is dead by now is taken over. */
export async function takeLock(file: string, origin: string): Promise<{ lock: Lock } | { holder: Holder }> {
  const mine: Holder = { pid: process.pid, origin, since: new Date().toISOString(), id: randomUUID() }
  const draft = `${file}.${mine.id}`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 })
  try {
    for (;;) {
      // A link appears whole or not at all, and never in place of another file.
      if (await linked(draft, file)) return { lock: { release: () => release(file, mine) } }
      const holder = await readHolder(file)
      if (holder !== null && isAlive(holder.pid)) return { holder }
      await clearAway(file, holder)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moves a dead holder's file out of the way; when it was another's by then, puts that one back. */
async function clearAway(file: string, dead: Holder | null): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch {
    // Somebody else was faster.
    return
  }
  const moved = await readHolder(aside)
  if (moved !== null && moved.id !== dead?.id) await linked(aside, file)
  await rm(aside, { force: true })
}

async function release(file: string, mine: Holder): Promise<void> {
  if ((await readHolder(file))?.id === mine.id) await rm(file, { force: true })
}

/** Null when there is no such file, or it says nothing. */
async function readHolder(file: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(file, 'utf8')))
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
