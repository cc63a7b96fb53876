import type { Files } from './files.ts'
import { pause } from './http.ts'
import type { ServedModel } from './models.ts'
import { shapeOutput } from './output.ts'
import type { RunScript, Script } from './script.ts'
import type { Change, Store } from './store.ts'
import type { EngineResult, PredictionRecord } from './types.ts'

export interface Engines {
  run(model: ServedModel, input: Record<string, unknown>): Promise<EngineResult>
  /** Streams text from a language model server; undefined without one. */
  stream?: (prompt: string, input: Record<string, unknown>, signal: AbortSignal) => AsyncIterable<string>
}

const STARTING_MS = 120
const TEXT_MS = 900
const PARALLEL_RUNS = 32
const ENDS: Record<string, string> = { succeed: 'succeeded', fail: 'failed', abort: 'aborted', cancel: 'canceled' }

export type Runs = ReturnType<typeof createRuns>

/** Processes each run from `starting` to its end, with its engine or as scripted. */
export function createRuns(deps: { store: Store; files: Files; engines: Engines; script: Script; now: () => number }) {
  const { store, files, engines, now } = deps
  const stopping = new Map<string, AbortController>()
  const waiting: (() => void)[] = []
  let running = 0

  const slot = async (): Promise<void> => {
    if (running >= PARALLEL_RUNS) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
  }
  const release = (): void => {
    running -= 1
    waiting.shift()?.()
  }

  const log = (record: PredictionRecord, line: string): void => {
    store.update(record, { logs: `${record.logs}${line}\n` }, 'logs')
  }

  const end = (record: PredictionRecord, patch: Partial<PredictionRecord>, script: RunScript | undefined): void => {
    const completedAt = now()
    const measured = record.startedAt === null ? null : (completedAt - record.startedAt) / 1000
    const predictTime = script?.predictTime === undefined ? measured : script.predictTime
    const changes: Change[] = patch.output === undefined ? ['completed'] : ['output', 'completed']
    store.update(record, { completedAt, predictTime, ...patch }, ...changes)
  }

  const speak = async (record: PredictionRecord, pieces: string[], signal: AbortSignal): Promise<void> => {
    const gap = TEXT_MS / deps.script.settings.speed / Math.max(1, pieces.length)
    for (let count = 1; count <= pieces.length && !signal.aborted; count += 1) {
      await pause(gap, signal)
      store.update(record, { output: pieces.slice(0, count) }, 'output')
    }
  }

  const relay = async (record: PredictionRecord, prompt: string, signal: AbortSignal): Promise<string[]> => {
    const pieces: string[] = []
    for await (const piece of engines.stream?.(prompt, record.input, signal) ?? []) {
      pieces.push(piece)
      store.update(record, { output: [...pieces] }, 'output')
    }
    return pieces
  }

  const produce = async (
    record: PredictionRecord,
    model: ServedModel,
    script: RunScript | undefined,
    signal: AbortSignal,
  ): Promise<unknown> => {
    if (model.engine === 'text' && engines.stream) {
      const pieces = await relay(record, String(record.input[model.promptField]), signal)
      return shapeOutput({ urls: [], pieces }, model.output, script)
    }
    const made = await engines.run(model, record.input)
    for (const line of made.logs) log(record, line)
    if (model.engine === 'text') await speak(record, made.pieces, signal)
    const kept = made.files.map((file) => files.add(file, script))
    store.update(record, { files: kept.map(({ key }) => key) })
    return shapeOutput({ urls: kept.map(({ url }) => url), pieces: made.pieces }, model.output, script)
  }

  const drive = async (
    record: PredictionRecord,
    model: ServedModel,
    script: RunScript | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    await pause(script?.startingMs ?? STARTING_MS / deps.script.settings.speed, signal)
    if (signal.aborted) return
    const last = script?.status === undefined ? 'succeeded' : (ENDS[script.status] ?? script.status)
    if (last === 'aborted' || last === 'starting') {
      if (last === 'aborted') end(record, { status: 'aborted', error: script?.error ?? null }, script)
      return
    }
    store.update(record, { status: 'processing', startedAt: now() }, 'start')
    for (const line of script?.logs ?? []) log(record, line)
    await pause(script?.processingMs ?? 0, signal)
    if (signal.aborted || last === 'processing') return
    if (last !== 'succeeded') {
      const isEnd = last === 'failed' || last === 'canceled'
      if (isEnd)
        end(record, { status: last, error: script?.error ?? (last === 'failed' ? 'The model failed.' : null) }, script)
      else store.update(record, { status: last })
      return
    }
    const output = await produce(record, model, script, signal)
    if (!signal.aborted) end(record, { status: 'succeeded', output }, script)
  }

  const stop = (record: PredictionRecord): void => {
    stopping.get(record.id)?.abort()
    const status = record.startedAt === null ? 'aborted' : 'canceled'
    end(record, { status }, undefined)
  }

  const watchDeadline = async (record: PredictionRecord, signal: AbortSignal): Promise<void> => {
    if (record.deadline === null) return
    await pause(record.deadline - now(), signal)
    if (!signal.aborted) stop(record)
  }

  return {
    /** Starts the run and returns at once. A scripted run does not count towards the limit. */
    async start(record: PredictionRecord, model: ServedModel, script: RunScript | undefined): Promise<void> {
      const stopper = new AbortController()
      stopping.set(record.id, stopper)
      void watchDeadline(record, stopper.signal)
      if (script === undefined) await slot()
      try {
        await drive(record, model, script, stopper.signal)
      } catch (error) {
        end(record, { status: 'failed', error: error instanceof Error ? error.message : String(error) }, script)
      } finally {
        if (script === undefined) release()
        // Ends the deadline's timer. A run that a script leaves unfinished keeps it until it is canceled.
        if (record.completedAt !== null) {
          stopper.abort()
          stopping.delete(record.id)
        }
      }
    },
    /** Cancels a run: `canceled` at any point before the end, as in the provider's API. */
    cancel(record: PredictionRecord): void {
      stopping.get(record.id)?.abort()
      end(record, { status: 'canceled' }, undefined)
    },
    close(): void {
      for (const stopper of stopping.values()) stopper.abort()
    },
  }
}
