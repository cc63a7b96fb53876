import { dirname, join } from 'node:path'
import { type Lock, takeLock } from './lock.ts'
import { type ReadyFacts, removeStackFile, STACK_FILE, writeStackFile } from './stack-info.ts'
import { removeWorkerEnv, writeWorkerEnv } from './worker-env-file.ts'

/** How often a stack beside another looks whether the place has become free. */
const LOOK_EVERY_MS = 1_000

export interface Announcement {
  /** Resolves when the first look is done: with the origin of the stack that others find instead of this one, as far as it has told it, or null. */
  shadowedBy: Promise<string | null>
  /** Tells others what changed. */
  update(facts: ReadyFacts): Promise<void>
  /** Takes back what this stack told, and nothing else. */
  withdraw(): Promise<void>
}

/**
 * Tells other commands where this stack is: `.coinslot/stack.json`, and the worker's variables beside it. There is one such place;
 * it belongs to the stack that came first while that one lives, and to the next one after it.
 */
export function announce(first: ReadyFacts, env: Record<string, string>, file = STACK_FILE): Announcement {
  const workerEnvFile = join(dirname(file), 'worker.env')
  let facts = first
  let lock: Lock | null = null
  let turn: Promise<unknown> = Promise.resolve()
  /** One thing at a time: a look must not write what a withdrawal just took back. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }

  const look = async (): Promise<string | null> => {
    if (lock !== null) return null
    const answer = await takeLock(`${file}.lock`, facts.origin)
    if ('holder' in answer) return answer.holder?.origin ?? 'another address'
    try {
      await writeWorkerEnv(env, workerEnvFile)
      await writeStackFile(facts, file)
    } catch (error) {
      await answer.lock.release()
      throw error
    }
    lock = answer.lock
    return null
  }

  const shadowedBy = inTurn(look)
  const clock = setInterval(() => void inTurn(look).catch(() => undefined), LOOK_EVERY_MS)
  clock.unref()
  return {
    shadowedBy,
    update: (changed) =>
      inTurn(async () => {
        facts = changed
        if (lock !== null) await writeStackFile(facts, file)
      }),
    withdraw() {
      clearInterval(clock)
      return inTurn(async () => {
        if (lock === null) return
        await removeStackFile(file)
        await removeWorkerEnv(workerEnvFile)
        await lock.release()
        lock = null
      })
    },
  }
}
