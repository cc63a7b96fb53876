import type * as z from 'zod'
import type { Config } from '../../config/config.ts'
import { type CallOptions, call, type Fetch, type HttpAnswer, HttpError, jsonOf } from '../../lib/http.ts'
import { excerpt, trimEnd } from '../../lib/text.ts'
import { openFile } from './open-file.ts'
import { type CreatePrediction, type Prediction, type Provider, ProviderError } from './provider.ts'
import {
  modelSchema,
  pageSchema,
  predictionSchema,
  schemasOf,
  toPrediction,
  versionSchema,
} from './replicate-schemas.ts'

const CREATE_MS = 15_000
const READ_MS = 10_000
const CHECK_MS = 2_000
/** Long texts come as lists of words. */
const MAX_RUN_BYTES = 8 * 1024 * 1024
const MAX_PAGE_BYTES = 32 * 1024 * 1024
/** 20,000 runs: what a long outage at full sale leaves to search. */
const MAX_PAGES = 200
/** How long a throttled call may wait in all; after that it is the purchase's turn to come back later. */
const MAX_THROTTLE_MS = 10_000
const DEFAULT_THROTTLE_MS = 1_000

interface ReplicateOptions {
  fetch: Fetch
  /** Waits before a throttled call is sent again; tests make it instant. */
  sleep?: (ms: number) => Promise<void>
}

interface Client {
  base: string
  send(path: string, options: CallOptions, patienceMs?: number): Promise<HttpAnswer>
}

/**
 * The client of a Replicate-style provider. Addresses are made of the base URL and the run's id; those in answers (`urls.*`,
 * the host of `next`) are never followed.
 */
export function makeReplicate(
  config: Config['provider'],
  { fetch, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }: ReplicateOptions,
): Provider {
  const base = trimEnd(config.baseUrl, '/')
  const client: Client = { base, send: makeSender(base, config.token, fetch, sleep) }
  return {
    create: (request) => create(client, request),
    async get(id) {
      const answer = await client.send(runPath(id), { deadlineMs: READ_MS, maxBytes: MAX_RUN_BYTES })
      return toPrediction(parse(predictionSchema(), answer))
    },
    async cancel(id) {
      await client.send(`${runPath(id)}/cancel`, { method: 'POST', deadlineMs: READ_MS, maxBytes: MAX_RUN_BYTES })
    },
    list: (since) => list(client, since),
    openFile: (url) => openFile({ ...config, baseUrl: base, fetch }, url),
    readModel: (model) => readModel(client, model),
    async check() {
      await client.send('/account', { deadlineMs: CHECK_MS }, 0)
    },
  }
}

/** A model that is called by version has the schemas of that version. */
async function readModel(client: Client, model: string): Promise<Record<string, unknown> | null> {
  const [id = '', version] = model.split(':')
  const path = `/models/${id.split('/').map(encodeURIComponent).join('/')}`
  try {
    const options = { deadlineMs: READ_MS, maxBytes: MAX_RUN_BYTES }
    const answer = await client.send(version === undefined ? path : `${path}/versions/${version}`, options, 0)
    if (version !== undefined) return schemasOf(parse(versionSchema(), answer))
    return schemasOf(parse(modelSchema(), answer).latest_version)
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'input') return null
    throw error
  }
}

const runPath = (id: string): string => `/predictions/${encodeURIComponent(id)}`

/** Sends one call and sorts its refusals. A throttled call has not been acted on, so it alone is sent again. */
function makeSender(base: string, token: string, fetch: Fetch, sleep: (ms: number) => Promise<void>): Client['send'] {
  return async (path, options, patienceMs = MAX_THROTTLE_MS) => {
    const headers = { ...options.headers, authorization: `Bearer ${token}` }
    for (let waitedMs = 0; ; ) {
      const answer = await call(fetch, base + path, { ...options, headers, redirect: 'manual' }).catch(outOfReach)
      if (answer.status >= 200 && answer.status < 300) return answer
      const waitMs = answer.status === 429 ? throttleMs(answer) : null
      if (waitMs === null || waitedMs + waitMs > patienceMs) throw refusal(answer, waitMs, options.method ?? 'GET')
      await sleep(waitMs)
      waitedMs += waitMs
    }
  }
}

function outOfReach(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  throw new ProviderError('unavailable', `the provider did not answer: ${error.message}`, {
    maybeStarted: true,
    cause: error,
  })
}

/** The caller's input can be at fault only with these; all other statuses are about us or the provider. */
const INPUT_STATUSES = [400, 404, 413, 422]

function refusal(answer: HttpAnswer, waitMs: number | null, method: string): ProviderError {
  const { status } = answer
  const detail = excerpt(`the provider answered ${status}: ${answer.text}`)
  return new ProviderError(INPUT_STATUSES.includes(status) ? 'input' : 'unavailable', detail, {
    maybeStarted: status >= 500,
    throttledRead: status === 429 && method === 'GET',
    ...(waitMs !== null && { retryAfterSeconds: Math.ceil(waitMs / 1000) }),
  })
}

/** The longer of what the header and the body ask for, at least a second, so that retries stay few. */
function throttleMs(answer: HttpAnswer): number {
  const body = jsonOf(answer.text)
  const fromBody = typeof body === 'object' && body !== null && 'retry_after' in body ? Number(body.retry_after) : 0
  const seconds = [Number(answer.headers.get('retry-after') ?? 0), fromBody].filter((value) => Number.isFinite(value))
  return Math.max(DEFAULT_THROTTLE_MS, ...seconds.map((value) => value * 1000))
}

function parse<T>(schema: z.ZodType<T>, answer: HttpAnswer, maybeStarted = false): T {
  const parsed = schema.safeParse(jsonOf(answer.text))
  if (parsed.success) return parsed.data
  throw new ProviderError('unavailable', excerpt(`the provider answered nonsense: ${answer.text}`), {
    maybeStarted,
    cause: parsed.error,
  })
}

async function create(
  client: Client,
  { model, input, webhookUrl, waitSeconds }: CreatePrediction,
): Promise<Prediction> {
  const body = JSON.stringify({ version: model, input, webhook: webhookUrl, webhook_events_filter: ['completed'] })
  const headers = { 'content-type': 'application/json', ...(waitSeconds > 0 && { prefer: `wait=${waitSeconds}` }) }
  const options = { method: 'POST', headers, body, deadlineMs: CREATE_MS, maxBytes: MAX_RUN_BYTES }
  const answer = await client.send('/predictions', options, 0)
  return toPrediction(parse(predictionSchema(), answer, true))
}

/**
 * Newest first, back to `since`. Where the list leaves `webhook` out, the caller fetches each candidate itself.
 * A search that would end early is an error: "not found" must mean that no run exists.
 */
async function* list(client: Client, since: Date): AsyncGenerator<Prediction> {
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ created_after: since.toISOString(), ...(cursor !== null && { cursor }) })
    const answer = await client.send(`/predictions?${query}`, { deadlineMs: READ_MS, maxBytes: MAX_PAGE_BYTES })
    const { next, results } = parse(pageSchema(), answer)
    for (const prediction of results.map(toPrediction)) {
      if (prediction.createdAt !== null && prediction.createdAt < since) return
      yield prediction
    }
    cursor = cursorOf(client.base, next)
    if (cursor === null) return
  }
  throw new ProviderError('unavailable', `more than ${MAX_PAGES} pages of runs to search`)
}

function cursorOf(base: string, next: string | null | undefined): string | null {
  if (!next) return null
  const cursor = URL.canParse(next, base) ? new URL(next, base).searchParams.get('cursor') : null
  if (cursor === null) throw new ProviderError('unavailable', 'the provider names a next page without a cursor')
  return cursor
}
