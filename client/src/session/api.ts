import { hc } from 'hono/client'
import type { AppType } from '../../../worker/app.ts'
import { parseJson } from '../json-fields.ts'
import { ProblemError, readProblem } from '../problem.ts'
import type { Retrier } from '../retry.ts'
import { type Transport, textOf } from './transport.ts'

/** Health is told with 503 too: that is an answer, not a failure to answer. */
const isAnswer = (path: string, response: Response): boolean =>
  response.ok || (path === '/api/health' && response.status === 503)

/**
 * The service's routes, typed by themselves, for calls that may be made again. They throw `ProblemError` unless 2xx with JSON, and
 * `ConnectionError` when no whole answer comes.
 */
export function apiOf(transport: Transport, retrier: Retrier) {
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
      // A page, a Wi-Fi's sign-in say, is no answer of the service, whatever its status.
      if (json !== undefined && isAnswer(url.pathname, response)) return new Response(text, { status, headers })
      throw new ProblemError(readProblem(json, status, headers.get('retry-after')))
    })
  const { api } = hc<AppType>(transport.origin, { fetch: call })
  const read = async (path: string): Promise<unknown> => (await call(new URL(path, transport.origin))).json()
  return { api, read }
}
