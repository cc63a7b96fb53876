import type { IncomingMessage, ServerResponse } from 'node:http'
import { servedModels } from '../engines/models.ts'
import { readCreate } from './create.ts'
import { describeModel, describeVersion } from './describe.ts'
import { type Answer, invalid, notFound, type Refusal } from './http.ts'
import { present } from './present.ts'
import type { Runs } from './runs.ts'
import type { CallName, Script } from './script.ts'
import type { Store } from './store.ts'
import { streamOutput } from './stream.ts'
import { isTerminal, type PredictionRecord } from './types.ts'

export interface Call {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  body: string
  /** The groups that the route's pattern matched in the path. */
  path: string[]
}

export interface Deps {
  store: Store
  runs: Runs
  script: Script
  now: () => number
  webhookSecret: string
  /** Address of the API, up to `/v1`. */
  base: string
}

type Handler = (deps: Deps, call: Call) => Answer | Promise<Answer | undefined> | undefined

interface Route {
  method: string
  pattern: RegExp
  /** The name for scripts. */
  name: CallName
  handle: Handler
}

const route = (method: string, pattern: RegExp, name: CallName, handle: Handler): Route => ({
  method,
  pattern,
  name,
  handle,
})

export const routes: readonly Route[] = [
  route('POST', /^\/v1\/predictions$/, 'create', (deps, call) => create(deps, call, undefined)),
  route('POST', /^\/v1\/models\/([^/]+\/[^/]+)\/predictions$/, 'create', (deps, call) =>
    create(deps, call, call.path[0]),
  ),
  route('GET', /^\/v1\/predictions$/, 'list', list),
  route('GET', /^\/v1\/predictions\/([a-z0-9]+)$/, 'get', (deps, call) => ok(show(deps, find(deps, call)))),
  route('POST', /^\/v1\/predictions\/([a-z0-9]+)\/cancel$/, 'cancel', cancel),
  route('GET', /^\/v1\/models\/([^/]+\/[^/]+)$/, 'model', (deps, call) => ok(model(deps, call.path[0]))),
  route('GET', /^\/v1\/models\/([^/]+\/[^/]+)\/versions$/, 'model', (_deps, call) => ok(versions(call.path[0]))),
  route('GET', /^\/v1\/models\/([^/]+\/[^/]+)\/versions\/([0-9a-f]{64})$/, 'model', (_deps, call) =>
    ok(version(call.path[0], call.path[1])),
  ),
  route('GET', /^\/v1\/account$/, 'account', () =>
    ok({ type: 'user', username: 'local', name: 'Local provider', github_url: null, avatar_url: null }),
  ),
  route('GET', /^\/v1\/webhooks\/default\/secret$/, 'account', (deps) => ok({ key: deps.webhookSecret })),
  route('GET', /^\/v1\/streams\/([a-z0-9]+)$/, 'stream', stream),
]

const ok = (body: unknown): Answer => ({ status: 200, body })

const show = (deps: Deps, record: PredictionRecord): unknown => present(record, deps.base)

function find(deps: Deps, call: Call): PredictionRecord {
  const record = deps.store.get(call.path[0] ?? '')
  if (!record) throw notFound()
  return record
}

function model(deps: Deps, id = ''): unknown {
  const served = servedModels.get(id)
  if (!served) throw notFound()
  return describeModel(id, served, deps.base)
}

/** Official models have no list of versions. */
function versions(id = ''): unknown {
  const served = servedModels.get(id)
  if (served?.version === undefined) throw notFound()
  return { previous: null, next: null, results: [describeVersion(id, served)] }
}

function version(id = '', wanted = ''): unknown {
  const served = servedModels.get(id)
  if (served?.version !== wanted) throw notFound()
  return describeVersion(id, served)
}

async function create(deps: Deps, call: Call, named: string | undefined): Promise<Answer> {
  const made = readCreate(call.body, call.request.headers, named, deps.now())
  const { record } = made
  const scripted = deps.script.takeRun(`${record.webhook ?? ''} ${JSON.stringify(record.input)}`)
  deps.store.insert(record)
  void deps.runs.start(record, made.model, scripted)
  const seconds = waitSeconds(call.request.headers['prefer'])
  if (seconds === 0) return { status: 201, body: show(deps, record) }
  const ended = await deps.store.ended(record, seconds * 1_000)
  return { status: ended ? 201 : 202, body: show(deps, record) }
}

/** Seconds of `Prefer: wait`, at most 60; 0 without it. */
function waitSeconds(prefer: string | string[] | undefined): number {
  const wait = /^wait(?:=([1-9][0-9]?))?$/.exec(String(prefer ?? ''))
  return wait ? Math.min(60, Number(wait[1] ?? 60)) : 0
}

function cancel(deps: Deps, call: Call): Answer {
  const record = find(deps, call)
  if (!isTerminal(record)) deps.runs.cancel(record)
  return ok(show(deps, record))
}

function list(deps: Deps, { url }: Call): Answer {
  const after = time(url, 'created_after')
  const before = time(url, 'created_before')
  const cursor = url.searchParams.get('cursor')
  const page = deps.store.page({
    size: deps.script.settings.pageSize,
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...(cursor === null ? {} : { cursor }),
  })
  const link = (to: string | null): string | null => {
    if (to === null) return null
    const target = new URL(`${deps.base}/predictions${url.search}`)
    target.searchParams.set('cursor', to)
    return target.href
  }
  const hideWebhook = deps.script.settings.hideWebhookInList
  return ok({
    previous: link(page.previous),
    next: link(page.next),
    results: page.results.map((record) => present(record, deps.base, { hideWebhook })),
  })
}

function time(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name)
  if (text === null) return undefined
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw timeRefusal(name)
  return ms
}

const timeRefusal = (name: string): Refusal => invalid(name, 'must be an RFC 3339 time')

function stream(deps: Deps, call: Call): Answer | undefined {
  const record = find(deps, call)
  if (!record.streams) throw notFound()
  streamOutput(deps.store, record, call.response, String(call.request.headers['last-event-id'] ?? ''))
  return undefined
}
