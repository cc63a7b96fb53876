import type { OutputShape, ServedModel } from '../engines/models.ts'
import type { EngineResult } from '../engines/result.ts'
import { piecesOf } from '../engines/text.ts'
import type { Files } from './files.ts'
import { pause } from './http.ts'
import type { RunScript, Script } from './script.ts'
import type { Change, Store } from './store.ts'
import type { PredictionRecord } from './types.ts'

interface Engines {
  run(model: ServedModel, input: Record<string, unknown>): Promise<EngineResult>
  /** Streams text from a language model server; undefined without one. */
  stream?: (prompt: string, input: Record<string, unknown>, signal: AbortSignal) => AsyncIterable<string>
}

export interface RunDeps {
  store: Store
  files: Files
  engines: Engines
  script: Script
  now: () => number
}

export interface Run {
  record: PredictionRecord
  model: ServedModel
  script: RunScript | undefined
  /** Aborts when the run is canceled. */
  signal: AbortSignal
}

const STARTING_MS = 120
const TEXT_MS = 900
const ENDS: Record<string, string> = { succeed: 'succeeded', fail: 'failed', abort: 'aborted', cancel: 'canceled' }

/** Processes a run from `starting` to its end, with its engine or as scripted. */
export async function processRun(deps: RunDeps, run: Run): Promise<void> {
  const { store, now } = deps
  const { record, script, signal } = run
  await pause(script?.startingMs ?? STARTING_MS / deps.script.settings.speed, signal)
  if (signal.aborted) return
  const last = script?.status === undefined ? 'succeeded' : (ENDS[script.status] ?? script.status)
  if (last === 'starting') return
  if (last === 'aborted') return endRun(deps, record, { status: 'aborted', error: script?.error ?? null }, script)
  store.update(record, { status: 'processing', startedAt: now() }, 'start')
  for (const line of script?.logs ?? []) log(store, record, line)
  await pause(script?.processingMs ?? 0, signal)
  if (signal.aborted || last === 'processing') return
  if (last !== 'succeeded') return stopAt(deps, run, last)
  const output = await produce(deps, run)
  if (!signal.aborted) endRun(deps, record, { status: 'succeeded', output }, script)
}

/** Ends a run, with the scripted compute time or the measured one. */
export function endRun(
  { store, now }: Pick<RunDeps, 'store' | 'now'>,
  record: PredictionRecord,
  patch: Partial<PredictionRecord>,
  script: RunScript | undefined,
): void {
  const completedAt = now()
  const measured = record.startedAt === null ? null : (completedAt - record.startedAt) / 1000
  const predictTime = script?.predictTime === undefined ? measured : script.predictTime
  const changes: Change[] = patch.output === undefined ? ['completed'] : ['output', 'completed']
  store.update(record, { completedAt, predictTime, ...patch }, ...changes)
}

/** Ends a run with a scripted failure. Any other scripted status stays without an end. */
function stopAt(deps: RunDeps, { record, script }: Run, status: string): void {
  if (status !== 'failed' && status !== 'canceled') {
    deps.store.update(record, { status })
    return
  }
  const error = script?.error ?? (status === 'failed' ? 'The model failed.' : null)
  endRun(deps, record, { status, error }, script)
}

async function produce(deps: RunDeps, run: Run): Promise<unknown> {
  const { store, files, engines } = deps
  const { record, model, script } = run
  if (model.engine === 'text' && engines.stream) {
    const pieces = await relayText(deps, run)
    countTokens(deps, run, pieces)
    return shapeOutput({ urls: [], pieces }, model.output, script)
  }
  const made = await engines.run(model, record.input)
  for (const line of made.logs) log(store, record, line)
  if (model.engine === 'text') {
    await writePieces(deps, run, made.pieces)
    countTokens(deps, run, made.pieces)
  } else await whileHeld(deps, run)
  const kept = made.files.map((file) => files.add(file, script))
  store.update(record, { files: kept.map(({ key }) => key) })
  return shapeOutput({ urls: kept.map(({ url }) => url), pieces: made.pieces }, model.output, script)
}

/** A word stands for a token, as in the bound that the engine keeps. */
function countTokens({ store }: RunDeps, { record, model }: Run, pieces: readonly string[]): void {
  const read = [record.input['system_prompt'], record.input[model.promptField]].filter(
    (text) => typeof text === 'string',
  )
  store.update(record, { tokens: { input: piecesOf(read.join(' ')).length, output: pieces.length } })
}

/** Passes on the text of the language model server as it arrives. */
async function relayText({ store, engines }: RunDeps, { record, model, signal }: Run): Promise<string[]> {
  const prompt = String(record.input[model.promptField])
  const pieces: string[] = []
  for await (const piece of engines.stream?.(prompt, record.input, signal) ?? []) {
    pieces.push(piece)
    store.update(record, { output: [...pieces] }, 'output')
  }
  return pieces
}

/** Writes the text of the built-in engine piece by piece. */
async function writePieces(deps: RunDeps, run: Run, pieces: string[]): Promise<void> {
  const { record, signal } = run
  const gap = TEXT_MS / deps.script.settings.speed / Math.max(1, pieces.length)
  for (let count = 1; count <= pieces.length && !signal.aborted; count += 1) {
    await pause(gap, signal)
    deps.store.update(record, { output: pieces.slice(0, count) }, 'output')
    if (count === 1) await whileHeld(deps, run)
  }
}

/** Waits until a held run is released or canceled. */
async function whileHeld({ script: { released } }: RunDeps, { script, signal }: Run): Promise<void> {
  if (script?.held === undefined || signal.aborted) return
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([released(script.held), stopped])
}

function log(store: Store, record: PredictionRecord, line: string): void {
  store.update(record, { logs: `${record.logs}${line}\n` }, 'logs')
}

/** The output in the model's shape, or in the scripted one. */
function shapeOutput(
  made: { urls: string[]; pieces: string[] },
  shape: OutputShape,
  script: RunScript | undefined,
): unknown {
  if (script?.output !== undefined) return script.output
  const parts = made.urls.length > 0 ? made.urls : made.pieces
  const single = made.urls[0] ?? made.pieces.join('')
  switch (script?.shape ?? shape) {
    case 'url':
    case 'string':
      return single
    case 'urls':
    case 'list':
    case 'pieces':
      return parts
    case 'audio_out':
      return { audio_out: single, prompt_npz: null }
    case 'object':
      return { result: single }
    case 'nested':
      return { result: { parts: [{ value: single, seconds: 1 }] }, note: 'made' }
    case 'none':
      return null
  }
}
