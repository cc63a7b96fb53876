import { parseJson } from '../json-fields.ts'
import { ConnectionError, ProblemError, readProblem } from '../problem.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Call {
  method?: string
  headers?: Record<string, string>
  /** JSON text. */
  body?: string
  /** Milliseconds until the head of the answer must arrive. */
  headMs?: number
  /** The longest silence within the body, in milliseconds. */
  idleMs?: number
  signal?: AbortSignal | undefined
  /** True if a browser finishes the call after its page is left. */
  keepalive?: boolean
}

/** Calls to one service. */
export interface Transport {
  readonly origin: string
  /** An answer of any status. Throws `ConnectionError` without one, and the signal's reason when it is aborted. */
  call(path: string, call?: Call): Promise<Response>
  /** Milliseconds since 1970 by the service's clock, accurate to about 2 s. Signatures use this time. */
  now(): number
}

const HEAD_MS = 30_000
/** A larger difference is ignored, since it would move the end of a signature. */
const LARGEST_SKEW_MS = 15 * 60_000

export function makeTransport(options: {
  origin: string
  fetch: Fetch
  /** True if a browser sends its cookies. Default: the platform's way. */
  credentials?: 'include' | 'omit'
  /** The CSRF token of a page, for every call except GET. */
  csrfToken?(): string | undefined
}): Transport {
  const { credentials } = options
  let skewMs = 0

  async function call(path: string, init: Call = {}): Promise<Response> {
    const method = init.method ?? 'GET'
    const csrf = method === 'GET' ? undefined : options.csrfToken?.()
    const timer = startSilenceTimer(init)
    try {
      const response = await options.fetch(new URL(path, options.origin).href, {
        method,
        // A signed payment must not follow a redirect to another service.
        redirect: 'manual',
        ...(credentials !== undefined && { credentials }),
        headers: {
          ...(csrf !== undefined && { 'X-CSRF-Token': csrf }),
          ...(init.body !== undefined && { 'Content-Type': 'application/json' }),
          ...init.headers,
        },
        ...(init.body !== undefined && { body: init.body }),
        ...(init.keepalive === true && { keepalive: true }),
        signal: timer.signal,
      })
      skewMs = skewOf(response) ?? skewMs
      return withSilenceLimit(response, timer)
    } catch (cause) {
      timer.end()
      init.signal?.throwIfAborted()
      throw new ConnectionError(`${new URL(options.origin).host} did not answer`, { cause })
    }
  }

  return { origin: options.origin, call, now: () => Date.now() + skewMs }
}

/** The service's clock minus this machine's; null when the answer has no usable date. */
function skewOf(response: Response): number | null {
  if (!response.headers.get('cache-control')?.includes('no-store')) return null
  const skew = Date.parse(response.headers.get('date') ?? '') + 500 - Date.now()
  if (!(Math.abs(skew) < LARGEST_SKEW_MS)) return null
  return Math.abs(skew) < 2_000 ? 0 : skew
}

interface SilenceTimer {
  signal: AbortSignal
  /** Restarts the time, when data arrived. */
  restart(): void
  end(): void
}

/** Aborts a call that is silent for too long: a dead connection may never report an error. */
function startSilenceTimer({ headMs = HEAD_MS, idleMs = headMs, signal }: Call): SilenceTimer {
  const silence = new AbortController()
  const abort = (): void => silence.abort(new Error('no answer in time'))
  let timer = setTimeout(abort, headMs)
  return {
    signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
    restart: () => {
      clearTimeout(timer)
      timer = setTimeout(abort, idleMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** The same answer, aborted when its body is silent for too long. */
function withSilenceLimit(response: Response, timer: SilenceTimer): Response {
  timer.restart()
  // Chromium returns an empty stream for a 204, with which no Response can be made.
  if (response.body === null || response.status < 200 || response.status === 204) {
    timer.end()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          timer.restart()
          return controller.enqueue(value)
        }
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      timer.end()
    },
    cancel: (reason) => {
      timer.end()
      return reader.cancel(reason)
    },
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** The JSON of an answer. Throws `ConnectionError` when it breaks off, and `ProblemError` unless it is 2xx. */
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
