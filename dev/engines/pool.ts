import { randomInt } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Engine, ServedModel } from './models.ts'
import type { EngineResult } from './result.ts'

const THREADS = 2
/** Canvas memory is freed only with its thread, so a thread ends after this many jobs. */
const JOBS_PER_THREAD = 60
const SEEDS = 2_147_483_648

/** A message of the pool to a thread. */
export interface Job {
  id: number
  engine: Engine
  prompt: string
  input: Record<string, unknown>
  seed: number
}

export type JobAnswer = { id: number; result: EngineResult } | { id: number; error: string }

interface Waiting {
  job: Job
  resolve: (result: EngineResult) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  current: Waiting | undefined
  jobsLeft: number
}

/** Runs the engines in two threads, so that the server does not block. */
export function startEngines(fixedSeed: number | undefined) {
  const threads = new Set<Thread>()
  const queue: Waiting[] = []
  let lastId = 0
  let closing = false

  const spawn = (): Thread => {
    const thread = makeThread()
    const { worker } = thread
    threads.add(thread)
    worker.on('message', (answer: JobAnswer) => settle(thread, answer))
    worker.on('error', (error) => retire(thread, error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => retire(thread, new Error('the engine stopped')))
    worker.unref()
    return thread
  }

  const settle = (thread: Thread, answer: JobAnswer): void => {
    const { current } = thread
    thread.current = undefined
    thread.jobsLeft -= 1
    if ('result' in answer) current?.resolve(answer.result)
    else current?.reject(new Error(answer.error))
    if (thread.jobsLeft <= 0) retire(thread, new Error('the engine was replaced'))
    next()
  }

  const retire = (thread: Thread, reason: Error): void => {
    if (!threads.delete(thread)) return
    thread.current?.reject(reason)
    void thread.worker.terminate()
    next()
  }

  const next = (): void => {
    if (closing || queue.length === 0) return
    const idle = [...threads].find(({ current }) => current === undefined)
    const thread = idle ?? (threads.size < THREADS ? spawn() : undefined)
    const waiting = thread && queue.shift()
    if (!thread || !waiting) return
    thread.current = waiting
    thread.worker.postMessage(waiting.job)
  }

  return {
    /** Runs the model's engine on the input. */
    run(model: ServedModel, input: Record<string, unknown>): Promise<EngineResult> {
      lastId += 1
      const job = makeJob(lastId, model, input, fixedSeed)
      return new Promise((resolve, reject) => {
        queue.push({ job, resolve, reject })
        next()
      })
    },
    async close(): Promise<void> {
      closing = true
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

function makeThread(): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {})
  return { worker, current: undefined, jobsLeft: JOBS_PER_THREAD }
}

/** The seed is that of the input, the fixed one, or random. */
function makeJob(id: number, model: ServedModel, input: Record<string, unknown>, fixedSeed: number | undefined): Job {
  const asked = input['seed']
  const seed = typeof asked === 'number' ? asked : (fixedSeed ?? randomInt(SEEDS))
  return { id, engine: model.engine, prompt: String(input[model.promptField]), input, seed }
}
