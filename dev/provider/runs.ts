import type { ServedModel } from '../engines/models.ts'
import { pause } from './http.ts'
import { endRun, processRun, type RunDeps } from './process-run.ts'
import type { RunScript } from './script.ts'
import type { PredictionRecord } from './types.ts'

const PARALLEL_RUNS = 32

export type Runs = ReturnType<typeof createRuns>

/** Starts and cancels runs. At most 32 runs without a script are processed at once. */
export function createRuns(deps: RunDeps) {
  const stopping = new Map<string, AbortController>()
  const slots = makeSlots(PARALLEL_RUNS)

  const stop = (record: PredictionRecord, status: 'aborted' | 'canceled'): void => {
    stopping.get(record.id)?.abort()
    endRun(deps, record, { status }, undefined)
  }

  const watchDeadline = async (record: PredictionRecord, signal: AbortSignal): Promise<void> => {
    if (record.deadline === null) return
    await pause(record.deadline - deps.now(), signal)
    if (!signal.aborted) stop(record, record.startedAt === null ? 'aborted' : 'canceled')
  }

  return {
    /** Starts the run and returns at once. A scripted run does not count towards the limit. */
    async start(record: PredictionRecord, model: ServedModel, script: RunScript | undefined): Promise<void> {
      const stopper = new AbortController()
      stopping.set(record.id, stopper)
      void watchDeadline(record, stopper.signal)
      if (script === undefined) await slots.take()
      try {
        await processRun(deps, { record, model, script, signal: stopper.signal })
      } catch (error) {
        endRun(
          deps,
          record,
          { status: 'failed', error: error instanceof Error ? error.message : String(error) },
          script,
        )
      } finally {
        if (script === undefined) slots.release()
        // Ends the deadline's timer. A run that a script leaves unfinished keeps it until it is canceled.
        if (record.completedAt !== null) {
          stopper.abort()
          stopping.delete(record.id)
        }
      }
    },
    /** Cancels a run: `canceled` at any point before the end, as in the provider's API. */
    cancel: (record: PredictionRecord): void => stop(record, 'canceled'),
    close(): void {
      for (const stopper of stopping.values()) stopper.abort()
    },
  }
}

/** A limit on how many runs are processed at once. The others wait in the order they came. */
function makeSlots(most: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    async take(): Promise<void> {
      if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      taken += 1
    },
    release(): void {
      taken -= 1
      waiting.shift()?.()
    },
  }
}
