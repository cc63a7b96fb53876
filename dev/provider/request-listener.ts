import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, notFound, parseJson, pause, Refusal, readBody, send } from './http.ts'
import { type Deps, routes } from './routes.ts'
import type { CallName, CallScript } from './script.ts'
import { type Script, scriptSchema } from './script.ts'
import type { Store } from './store.ts'
import { isTerminal } from './types.ts'

interface ListenerDeps extends Deps {
  /** Bearer token that calls must send. */
  token: string
  webhookCounts: { sent: number; accepted: number }
}

/** Answers every request: the calls of the API, with their scripted faults, and the control calls of a test. */
export function makeRequestListener(deps: ListenerDeps) {
  const calls: Record<string, number> = {}
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(deps, calls, request, response).catch((error: unknown) => {
      if (error instanceof Refusal) return send(response, error.answer)
      const detail = error instanceof Error ? error.message : String(error)
      send(response, { status: 500, body: { title: 'Internal error', detail, status: 500 } })
    })
  }
}

async function answer(
  deps: ListenerDeps,
  calls: Record<string, number>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { store, script, webhookCounts: webhooks } = deps
  const url = new URL(request.url ?? '/', deps.base)
  const body = await readBody(request)
  if (url.pathname.startsWith('/__')) {
    return send(response, control({ store, script, calls, webhooks }, { request, url, body }))
  }
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname))
  const name: CallName = route?.name ?? 'any'
  calls[name] = (calls[name] ?? 0) + 1
  const fault = script.takeCall(name, `${url.pathname}${url.search} ${body}`)
  if (fault && !fault.work && (await answerFault(fault, response))) return
  requireToken(request, deps.token)
  if (!route) throw notFound()
  const path = route.pattern.exec(url.pathname)?.slice(1) ?? []
  const result = await route.handle(deps, { request, response, url, body, path })
  if (fault?.work && (await answerFault(fault, response))) return
  if (result) send(response, result)
}

function requireToken(request: IncomingMessage, token: string): void {
  const given = /^(?:Bearer|Token) (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (given !== token) {
    throw new Refusal(401, 'Unauthenticated', 'You did not pass a valid authentication token')
  }
}

/** Answers with a scripted fault. False if it only delays, so that the real answer follows. */
export async function answerFault(fault: CallScript | undefined, response: ServerResponse): Promise<boolean> {
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
  if (fault.text !== undefined) {
    const type = { 'content-type': fault.contentType ?? 'text/html' }
    response
      .writeHead(fault.status ?? 200, { ...type, 'content-length': Buffer.byteLength(fault.text) })
      .end(fault.text)
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

/** The calls with which a test scripts this double and reads its counts. Web pages may not make them. */
function control(
  deps: { store: Store; script: Script; calls: Record<string, number>; webhooks: { sent: number; accepted: number } },
  call: { request: IncomingMessage; url: URL; body: string },
): Answer {
  if (call.request.headers.origin !== undefined) throw new Refusal(403, 'Forbidden', 'Not for web pages.')
  switch (`${call.request.method} ${call.url.pathname}`) {
    case 'POST /__script': {
      const parsed = scriptSchema.safeParse(parseJson(call.body))
      if (!parsed.success) throw new Refusal(422, 'Bad script', parsed.error.message)
      deps.script.add(parsed.data)
      return { status: 200, body: deps.script.waiting() }
    }
    case 'POST /__lapse': {
      for (const record of deps.store.all()) if (isTerminal(record)) deps.store.removeData(record)
      return { status: 200, body: {} }
    }
    case 'GET /__counts':
      return { status: 200, body: counts(deps) }
    default:
      throw notFound()
  }
}

function counts(deps: Parameters<typeof control>[0]): Record<string, unknown> {
  const records = deps.store.all()
  const byStatus: Record<string, number> = {}
  for (const { status } of records) byStatus[status] = (byStatus[status] ?? 0) + 1
  return {
    created: records.length,
    byStatus,
    calls: deps.calls,
    webhooks: deps.webhooks,
    scripted: deps.script.waiting(),
    predictions: records.map(({ id, model, status, webhook }) => ({ id, model, status, webhook })),
  }
}
