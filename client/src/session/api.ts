import { hc } from 'hono/client'
import type { AppType } from '../../../worker/app.ts'
import { parseJson } from '../json-fields.ts'
import { ProblemError, readProblem } from '../problem.ts'
import type { Retrier } from '../retry.ts'
import { type Transport, textOf } from './transport.ts'

/** `/api/health` reports a degraded service with 503, which is an answer too. */
const isAnswer = (path: string, response: Response): boolean =>
  response.ok || (path === '/api/health' && response.status === 503)

/**
 * The service's typed routes, for calls that may be repeated. They throw `ProblemError` unless the answer is 2xx with JSON, and
 * `ConnectionError` without a complete answer.
 */
export function apiOf(transport: Pick<Transport, 'origin' | 'call'>, retrier: Retrier) {
  const call = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    retrier.retry(async () => {
      const url = new URL(input instanceof Request ? input.url : input)
      const body = init?.body
      const response = await transport.call(url.pathname + url.search, {
        method: init?.method ?? 'GET',
        ...(typeof body === 'string' && { body }),
      })
      const text = await textOf(response)
      const { status, headers } = response
      const json = parseJson(text)
      // A page, e.g. a Wi-Fi's sign-in, is not an answer of the service, whatever its status.
      if (json !== undefined && isAnswer(url.pathname, response)) return new Response(text, { status, headers })
      throw new ProblemError(readProblem(json, status, headers.get('retry-after')))
    })
  const { api } = hc<AppType>(transport.origin, { fetch: call })
  const read = async (path: string): Promise<unknown> => (await call(new URL(path, transport.origin))).json()
  return { api, read }
}
