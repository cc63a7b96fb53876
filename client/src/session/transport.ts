import { parseJson } from '../json-fields.ts'
import { ConnectionError, ProblemError, readProblem } from '../problem.ts'
import type { CookieJar } from './cookies.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Call {
  method?: string
  headers?: Record<string, string>
  /** JSON text. */
  body?: string
  /** Milliseconds until the answer must have begun. */
  headMs?: number
  /** The longest silence in the answer's body, in milliseconds. */
  idleMs?: number
  signal?: AbortSignal | undefined
}

/** Calls to one service, with its cookies and CSRF token. */
export interface Transport {
  readonly origin: string
  /** An answer of any status. Throws `ConnectionError` when none comes, `AbortError` when the signal says so. */
  call(path: string, call?: Call): Promise<Response>
  /** Milliseconds since 1970 by the service's clock, good to a second or two: signatures carry that time. */
  now(): number
}

const HEAD_MS = 30_000
/** A quarter of an hour: a service that claims a stranger time is not believed, since a signature's end hangs on it. */
const LARGEST_SKEW_MS = 15 * 60_000

export function makeTransport(options: {
  origin: string
  fetch: Fetch
  cookies: CookieJar
  /** Whether cookies are the platform's: then the call says so, and sends none of its own. */
  platformCookies: boolean
}): Transport {
  const { cookies } = options
  let skewMs = 0

  async function call(path: string, init: Call = {}): Promise<Response> {
    const cookie = cookies.header()
    const method = init.method ?? 'GET'
    const csrf = method === 'GET' ? undefined : (cookies.get('__Host-csrf') ?? cookies.get('csrf'))
    const watch = makeWatch(init)
    try {
      const response = await options.fetch(new URL(path, options.origin).href, {
        method,
        // A signed payment never follows a redirect to somebody else.
        redirect: 'manual',
        ...(options.platformCookies && { credentials: 'include' as const }),
        headers: {
          ...(cookie !== undefined && { Cookie: cookie }),
          ...(csrf !== undefined && { 'X-CSRF-Token': csrf }),
          ...(init.body !== undefined && { 'Content-Type': 'application/json' }),
          ...init.headers,
        },
        ...(init.body !== undefined && { body: init.body }),
        signal: watch.signal,
      })
      cookies.take(response.headers.getSetCookie())
      skewMs = skewOf(response) ?? skewMs
      return watched(response, watch)
    } catch (cause) {
      watch.end()
      init.signal?.throwIfAborted()
      throw new ConnectionError(`${new URL(options.origin).host} gave no answer`, { cause })
    }
  }

  return { origin: options.origin, call, now: () => Date.now() + skewMs }
}

/** The service's clock less ours; null where the answer does not tell, or tells of another day. */
function skewOf(response: Response): number | null {
  if (!response.headers.get('cache-control')?.includes('no-store')) return null
  const skew = Date.parse(response.headers.get('date') ?? '') + 500 - Date.now()
  if (!(Math.abs(skew) < LARGEST_SKEW_MS)) return null
  return Math.abs(skew) < 2_000 ? 0 : skew
}

interface Watch {
  signal: AbortSignal
  /** Something came: the next silence is measured from here. */
  alive(): void
  end(): void
}

/** Ends a call that is silent for too long: a dead connection may never say that it is dead. */
function makeWatch({ headMs = HEAD_MS, idleMs = headMs, signal }: Call): Watch {
  const silence = new AbortController()
  const abort = (): void => silence.abort(new Error('no answer in time'))
  let timer = setTimeout(abort, headMs)
  return {
    signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
    alive: () => {
      clearTimeout(timer)
      timer = setTimeout(abort, idleMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** The same answer, its body watched for silence. */
function watched(response: Response, watch: Watch): Response {
  watch.alive()
  if (response.body === null || response.status < 200) {
    watch.end()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          watch.alive()
          return controller.enqueue(value)
        }
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      watch.end()
    },
    cancel: (reason) => {
      watch.end()
      return reader.cancel(reason)
    },
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** The JSON of an answer. Throws `ConnectionError` when it breaks off, `ProblemError` unless it is 2xx. */
export async function jsonOf(response: Response): Promise<unknown> {
  const body = parseJson(await textOf(response))
  if (response.ok) return body
  throw new ProblemError(readProblem(body, response.status, response.headers.get('retry-after')))
}

export async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw new ConnectionError('the answer broke off', { cause })
  }
}
