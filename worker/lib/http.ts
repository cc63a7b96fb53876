import { withinMs } from '../../db/deadline.ts'
import { excerpt } from './text.ts'

/** `fetch` as adapters take it, so that tests and the local stack can replace the network. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** A call that brought no complete answer. Whether the upstream acted on it is not known. */
export class HttpError extends Error {
  readonly kind: 'timeout' | 'network' | 'too_large'

  constructor(kind: HttpError['kind'], detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'HttpError'
    this.kind = kind
  }
}

export interface HttpAnswer {
  status: number
  headers: Headers
  text: string
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  redirect?: 'follow' | 'manual'
  /** Milliseconds for the whole call, the last byte of the body included. */
  deadlineMs: number
  /** Bytes of the answer that are read at most; default 1 MiB. */
  maxBytes?: number
}

const MEBIBYTE = 1024 * 1024

/**
 * Runs `work` with a signal that fires after `ms`, and stops waiting then, also when `work` does not heed the signal.
 * Throws `HttpError timeout`.
 */
export const withDeadline = <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withinMs(ms, work, () => new HttpError('timeout', `no answer within ${ms} ms`))

/** One HTTP call, its answer read as text. Any status is an answer; throws `HttpError` without one. */
export function call(fetch: Fetch, url: string, options: CallOptions): Promise<HttpAnswer> {
  const { deadlineMs, maxBytes = MEBIBYTE, ...init } = options
  return withDeadline(deadlineMs, async (signal) => {
    try {
      const response = await fetch(url, { ...init, signal })
      return { status: response.status, headers: response.headers, text: await readText(response, maxBytes) }
    } catch (cause) {
      if (cause instanceof HttpError) throw cause
      throw new HttpError('network', excerpt(cause instanceof Error ? cause.message : String(cause)), { cause })
    }
  })
}

/** The platform reads a body of a known, bounded length in one go, which is cheaper than piece by piece. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const length = response.headers.get('content-length')
  const isBounded = length !== null && Number(length) <= maxBytes && !response.headers.has('content-encoding')
  return isBounded ? response.text() : new TextDecoder().decode(await readBytes(response.body, maxBytes))
}

/** All bytes of a body. Throws `HttpError too_large` past `maxBytes` and lets go of the connection. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength
    if (length > maxBytes) {
      await reader.cancel()
      throw new HttpError('too_large', `an answer of more than ${maxBytes} bytes`)
    }
    chunks.push(read.value)
  }
  return joinBytes(chunks, length)
}

/** Chunks as one array of `length` bytes. */
export function joinBytes(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** The JSON value of a text; undefined if it does not parse. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
