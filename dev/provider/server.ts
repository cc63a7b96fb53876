import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { startEngines } from '../engines/pool.ts'
import type { RunningService } from '../process/service.ts'
import { listen } from '../process/service.ts'
import { control } from './control.ts'
import { startFiles } from './files.ts'
import { notFound, pause, Refusal, readBody, send } from './http.ts'
import { streamChat } from './llm.ts'
import { servedModels } from './models.ts'
import { present } from './present.ts'
import { type Deps, routes } from './routes.ts'
import { createRuns, type Runs } from './runs.ts'
import { type CallName, type CallScript, createScript } from './script.ts'
import { createStore, type Store } from './store.ts'
import { isTerminal } from './types.ts'
import { startWebhooks } from './webhooks.ts'

const SWEEP_MS = 60_000

export interface ProviderOptions {
  port?: number
  /** Keeps the runs (not their files) over a restart. Without it nothing is kept. */
  dir?: string
  /** Bearer token that calls must send. */
  token: string
  /** `whsec_<base64>` */
  webhookSecret: string
  /** An OpenAI-compatible server that writes the texts instead of the built-in engine. */
  localLlmUrl?: string
  /** Seed of runs without one. Default: random. */
  seed?: number
  /** 2 halves every wait. */
  speed?: number
  now?: () => number
}

/** Starts the provider: `url` is the API up to `/v1`, `filesUrl` where output files are served. */
export async function startProvider(options: ProviderOptions): Promise<RunningService & { filesUrl: string }> {
  const now = options.now ?? Date.now
  const script = createScript(options.speed ?? 1)
  const calls: Record<string, number> = {}
  const files = await startFiles((path, response) => spoil(script.takeCall('file', path), response))
  const store = createStore({ now, dir: options.dir, dropFile: files.drop })
  const pool = startEngines(options.seed)
  const { localLlmUrl } = options
  const engines = localLlmUrl === undefined ? pool : { ...pool, stream: streamChat.bind(undefined, localLlmUrl) }
  const runs = createRuns({ store, files, engines, script, now })

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof Refusal) return send(response, error.answer)
      const detail = error instanceof Error ? error.message : String(error)
      send(response, { status: 500, body: { title: 'Internal error', detail, status: 500 } })
    })
  })
  const base = `${await listen(server, options.port)}/v1`
  const deps: Deps = { store, runs, script, now, webhookSecret: options.webhookSecret, base }
  const webhooks = startWebhooks({
    store,
    secret: options.webhookSecret,
    now,
    present: (record) => present(record, base),
  })

  resume(store, runs)
  // Expired runs release their files even if they are not read again.
  const sweep = setInterval(() => store.all(), SWEEP_MS).unref()

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', base)
    const body = await readBody(request)
    if (url.pathname.startsWith('/__')) {
      return send(response, control({ store, script, calls, webhooks: webhooks.counts }, { request, url, body }))
    }
    const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname))
    const name: CallName = route?.name ?? 'any'
    calls[name] = (calls[name] ?? 0) + 1
    const fault = script.takeCall(name, `${url.pathname}${url.search} ${body}`)
    if (fault && !fault.work && (await spoil(fault, response))) return
    requireToken(request, options.token)
    if (!route) throw notFound()
    const path = route.pattern.exec(url.pathname)?.slice(1) ?? []
    const result = await route.handle(deps, { request, response, url, body, path })
    if (fault?.work && (await spoil(fault, response))) return
    if (result) send(response, result)
  }

  return {
    url: base,
    filesUrl: files.url,
    async close() {
      clearInterval(sweep)
      runs.close()
      webhooks.close()
      files.close()
      server.closeAllConnections()
      server.close()
      await pool.close()
    },
  }
}

/** After a restart unfinished runs begin again. Finished ones have lost their files and report it. */
function resume(store: Store, runs: Runs): void {
  for (const record of store.all()) {
    const model = servedModels.get(record.model)
    if (isTerminal(record)) {
      if (record.files.length > 0) store.removeData(record)
    } else if (model) {
      store.update(record, { status: 'starting', startedAt: null, output: null, logs: '', files: [] })
      void runs.start(record, model, undefined)
    }
  }
}

/** Answers with a scripted fault. False if it only delays, so that the real answer follows. */
async function spoil(fault: CallScript | undefined, response: ServerResponse): Promise<boolean> {
  if (fault === undefined) return false
  if (fault.delayMs !== undefined) await pause(fault.delayMs)
  if (fault.hang) return true
  if (fault.reset) {
    response.destroy()
    return true
  }
  if (fault.garbage) {
    send(response, { status: fault.status ?? 200, body: '<html>bad gateway', headers: { 'content-type': 'text/html' } })
    return true
  }
  if (fault.status === undefined) return false
  const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
  send(response, { status: fault.status, body: fault.body ?? faultBody(fault.status, fault.retryAfter), headers })
  return true
}

const TITLES: Record<number, [title: string, detail: string]> = {
  401: ['Unauthenticated', 'You did not pass a valid authentication token'],
  402: ['Billing required', 'You need to set up billing before you can run this model.'],
  404: ['Not found', 'The requested resource could not be found.'],
  422: ['Invalid version or not permitted', 'The specified version does not exist'],
}

function faultBody(status: number, retryAfter: number | undefined): unknown {
  if (status === 429) {
    const detail = `Request was throttled. Your rate limit resets in ~${retryAfter ?? 30}s.`
    return { detail, status, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) }
  }
  const [title, detail] = TITLES[status] ?? ['Server error', 'Something went wrong on our side.']
  return { title, detail, status }
}

function requireToken(request: IncomingMessage, token: string): void {
  const given = /^(?:Bearer|Token) (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (given !== token) {
    throw new Refusal(401, 'Unauthenticated', 'You did not pass a valid authentication token')
  }
}
