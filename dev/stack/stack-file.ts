import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeWorkerEnv } from '../worker/worker-env.ts'
import { type Lock, takeLock } from './lock.ts'
import { STACK_FILE, type StackInfo, writeStackInfo } from './stack-info.ts'

/** How often a stack retries to take the file from another one. */
const RETRY_EVERY_MS = 1_000

export interface StackFile {
  /** Resolves after the first try: null if this stack has the file, else the origin of the stack that has it. */
  heldBy: Promise<string | null>
  update(info: StackInfo): Promise<void>
  /** Removes the file if this stack has it. */
  remove(): Promise<void>
}

/**
 * Publishes where this stack runs, for other commands: `.coinslot/stack.json`, with the worker's variables beside it. The file
 * belongs to the stack that started first. When that one ends, the next one takes it.
 */
export function publishStackFile(first: StackInfo, env: Record<string, string>, file = STACK_FILE): StackFile {
  const workerEnvFile = join(dirname(file), 'worker.env')
  let info = first
  let lock: Lock | null = null
  let queue: Promise<unknown> = Promise.resolve()
  /** One task at a time: a retry must not write what `remove` just removed. */
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  const takeFile = async (): Promise<string | null> => {
    if (lock !== null) return null
    const answer = await takeLock(`${file}.lock`, info.origin)
    if ('holder' in answer) return answer.holder?.origin ?? 'another address'
    try {
      await writeWorkerEnv(env, workerEnvFile)
      await writeStackInfo(info, file)
    } catch (error) {
      await answer.lock.release()
      throw error
    }
    lock = answer.lock
    return null
  }

  const heldBy = enqueue(takeFile)
  const timer = setInterval(() => void enqueue(takeFile).catch(() => undefined), RETRY_EVERY_MS)
  timer.unref()
  return {
    heldBy,
    update: (changed) =>
      enqueue(async () => {
        info = changed
        if (lock !== null) await writeStackInfo(info, file)
      }),
    remove() {
      clearInterval(timer)
      return enqueue(async () => {
        if (lock === null) return
        await rm(file, { force: true })
        await rm(workerEnvFile, { force: true })
        await lock.release()
        lock = null
      })
    },
  }
}
