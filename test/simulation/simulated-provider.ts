import { isDataUrl, openDataUrl } from '../../worker/upstreams/provider/open-file.ts'
import {
  type CreatePrediction,
  type Prediction,
  type Provider,
  ProviderError,
  type ProviderFile,
} from '../../worker/upstreams/provider/provider.ts'
import type { Engine } from './engine.ts'
import type { FaultKind } from './faults.ts'

/** A run as the provider knows it. */
export interface Run {
  id: string
  request: CreatePrediction
  createdAt: Date
  fault: FaultKind | null
  isCancelled: boolean
  /** How many more looks do not find its file. */
  hiddenLooks: number
  /** How many looks did not find it. */
  missed: number
}

const FILE_HOST = 'https://files.example'
const HOUR_MS = 3_600_000
/** How long a run without a fault takes. */
const RUN_MS = 2_000
/** The first bytes of a PNG. */
export const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(24).fill(0)])

const DATA_URL = `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`

const runsForMs: Partial<Record<FaultKind, number>> = {
  slow: 40_000,
  'very slow': 20 * 60_000,
  'unknown status, then done': 90_000,
  'unknown status for ever': Infinity,
}
const failsAs: Partial<Record<FaultKind, string>> = { fails: 'failed', canceled: 'canceled', aborted: 'aborted' }

const durationMs = ({ fault }: Run): number => (fault !== null && runsForMs[fault]) || RUN_MS

/** A run as the provider shows it at this age. */
function showAt(ageMs: number, run: Run): Prediction {
  const { fault } = run
  const base = {
    id: run.id,
    error: null,
    lastLog: null,
    webhook: run.request.webhookUrl,
    createdAt: run.createdAt,
    dataRemoved: false,
  }
  const ended = (status: 'succeeded' | 'failed', rawStatus: string, output: unknown): Prediction => ({
    ...base,
    status,
    rawStatus,
    output,
    tokens: null,
    predictTimeMs: fault === 'no predict_time' ? null : 1_500,
  })
  if (run.isCancelled) return ended('failed', 'canceled', null)
  if (ageMs < durationMs(run)) {
    const rawStatus = fault?.startsWith('unknown') ? 'pondering' : 'starting'
    return { ...base, status: 'running', rawStatus, output: null, tokens: null, predictTimeMs: null }
  }
  const failure = fault === null ? undefined : failsAs[fault]
  if (failure !== undefined) return { ...ended('failed', failure, null), error: 'it did not work' }
  const removed = ageMs >= HOUR_MS || fault === 'data removed'
  return { ...ended('succeeded', 'succeeded', removed ? null : outputOf(run)), dataRemoved: removed }
}

function outputOf({ id, request, fault }: Run): unknown {
  if (!/flux/.test(request.model)) return ['the answer ', 'of ', id]
  return [fault === 'data: output' ? DATA_URL : `${FILE_HOST}/${id}/0.png`]
}

/** The provider's side: its runs, and a list that shows them late. */
export function makeRuns(now: () => Date, listLagMs: () => number) {
  const runs: Run[] = []

  function start(request: CreatePrediction, fault: FaultKind | null): Run {
    const run = {
      id: `run-${runs.length + 1}`,
      request,
      createdAt: now(),
      fault,
      isCancelled: false,
      hiddenLooks: 0,
      missed: 0,
    }
    runs.push(run)
    return run
  }

  const ageOf = ({ createdAt }: Run): number => now().getTime() - createdAt.getTime()

  const listed = (since: Date): Run[] =>
    runs.filter((run) => run.createdAt >= since && ageOf(run) >= listLagMs()).reverse()

  /** True if the run's file cannot be seen now. One that is late is found at the third look. */
  function isMissing(url: string, fault: FaultKind | null): boolean {
    const run = runs.find(({ id }) => url.includes(`/${id}/`))
    if (run === undefined) return false
    if (fault === 'not visible yet') run.hiddenLooks = Math.max(run.hiddenLooks, 2)
    if (fault === 'never visible') run.hiddenLooks = Infinity
    if (run.hiddenLooks === 0) return false
    run.hiddenLooks -= 1
    run.missed += 1
    return true
  }

  return {
    runs,
    start,
    /** Milliseconds to the end of a run. */
    leftMs: (run: Run): number => Math.max(0, durationMs(run) - ageOf(run)),
    show: (run: Run): Prediction => showAt(ageOf(run), run),
    listed,
    isMissing,
    find: (id: string): Run | undefined => runs.find((run) => run.id === id),
  }
}

export type Runs = ReturnType<typeof makeRuns>

const notFound = (): ProviderError =>
  new ProviderError('unavailable', 'the output file answered 404', { missing: true })
const unavailable = (detail: string, maybeStarted = false): ProviderError =>
  new ProviderError('unavailable', detail, { maybeStarted })

const fileOf = (bytes: Uint8Array, length = bytes.length): ProviderFile => ({
  length,
  body: new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  }),
})

const PAGE = new TextEncoder().encode('<!doctype html><title>Please wait</title>')

/** The answer of a proxy in the place of the file. */
const IN_ITS_PLACE: Partial<Record<FaultKind, () => ProviderFile>> = {
  'waiting page': () => fileOf(PAGE),
  'empty body': () => fileOf(new Uint8Array()),
  'cut body': () => fileOf(PNG.subarray(0, 20), PNG.length),
}

/** The result of reading an output: the file, or what the fault puts in its place. */
function answered(url: string, fault: FaultKind | null): ProviderFile | Promise<ProviderFile> {
  if (isDataUrl(url)) return openDataUrl(url)
  const other = fault === null ? undefined : IN_ITS_PLACE[fault]
  return other?.() ?? fileOf(PNG)
}

/** The provider as one worker process reaches it. */
export function makeProviderPort(
  engine: Engine,
  runs: Runs,
  owner: number,
  onRead: (owner: number, run: string) => void,
): Provider {
  const known = (id: string): Run => {
    const run = runs.find(id)
    if (run === undefined) throw new ProviderError('input', 'no such run')
    return run
  }
  return {
    create: (request) =>
      engine.call(owner, 'create', async (fault) => {
        if (fault === '4xx') throw new ProviderError('input', 'the provider answered 422')
        if (fault === '429')
          throw new ProviderError('unavailable', 'the provider answered 429', { retryAfterSeconds: 9 })
        if (fault === '5xx') throw unavailable('the provider answered 503', true)
        if (fault === 'times out, not started') {
          await engine.wait(15_000)
          throw unavailable('no answer', true)
        }
        if (fault === 'slow') await engine.wait(12_000)
        const run = runs.start(request, engine.take('run'))
        engine.note(`provider starts ${run.id}${run.fault === null ? '' : ` — ${run.fault}`}`)
        if (fault === 'times out, started') await engine.wait(15_000)
        if (fault === 'answer lost' || fault === 'times out, started') throw unavailable('no answer', true)
        await engine.wait(Math.min(request.waitSeconds * 1_000, runs.leftMs(run)))
        return runs.show(run)
      }),
    get: (id) =>
      engine.call(owner, 'get', async (fault) => {
        onRead(owner, id)
        if (fault === 'down') throw unavailable('no answer')
        if (fault === 'slow') await engine.wait(8_000)
        return runs.show(known(id))
      }),
    cancel: (id) =>
      engine.call(owner, 'get', async (fault) => {
        if (fault === 'down') throw unavailable('no answer')
        known(id).isCancelled = true
      }),
    async *list(since) {
      const page = await engine.call(owner, 'list', async (fault) => {
        if (fault === 'down') throw unavailable('no answer')
        const shown = runs.listed(since).map(runs.show)
        return fault === 'webhook left out' ? shown.map((run) => ({ ...run, webhook: null })) : shown
      })
      yield* page
    },
    openFile: (url) =>
      engine.call(owner, 'openFile', async (fault) => {
        if (fault === 'down') throw unavailable('no answer')
        if (runs.isMissing(url, fault)) throw notFound()
        return answered(url, fault)
      }),
    readModel: async () => ({}),
    check: async () => undefined,
  }
}
