import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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

const CLEARING_MS = 10_000
const LOOK_EVERY_MS = 10

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
      await clearAway(file)
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

/**
 * Removes a dead holder's file. One process at a time does that, and looks again before: else it might remove the lock of somebody
 * who was faster. A lock is only ever made where there is none, so what is dead there stays dead.
 */
async function clearAway(file: string): Promise<void> {
  const turn = `${file}.clearing`
  const isMine = await mkdir(turn).then(
    () => true,
    () => false,
  )
  if (!isMine) return awaitTurn(turn)
  try {
    const text = await readFile(file, 'utf8').catch(() => null)
    const holder = text === null ? null : holderOf(text)
    if (text !== null && (holder === null || !isAlive(holder.pid))) await rm(file, { force: true })
  } finally {
    await rm(turn, { recursive: true, force: true })
  }
}

/** Clearing takes a moment; whoever is at it for seconds was killed in between. */
async function awaitTurn(turn: string): Promise<void> {
  const since = await stat(turn).catch(() => null)
  if (since !== null && Date.now() - since.mtimeMs > CLEARING_MS) await rm(turn, { recursive: true, force: true })
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}

async function release(file: string, mine: Holder): Promise<void> {
  if ((await readHolder(file))?.id === mine.id) await rm(file, { force: true })
}

/** Null when there is no such file, or it says nothing. */
const readHolder = (file: string): Promise<Holder | null> => readFile(file, 'utf8').then(holderOf, () => null)

function holderOf(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text))
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
