import type { IncomingMessage } from 'node:http'
import { type Answer, notFound, parseJson, Refusal } from './http.ts'
import { type Script, scriptSchema } from './script.ts'
import type { Store } from './store.ts'
import { isTerminal } from './types.ts'

/** The calls with which a test scripts this double and reads its counts. Web pages may not make them. */
export function control(
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
