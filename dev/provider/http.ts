import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** A refusal in the provider's form. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(status: number, title: string, detail: string, more: Record<string, unknown> = {}) {
    super(detail)
    this.name = 'Refusal'
    this.answer = { status, body: { title, detail, status, ...more } }
  }
}

export const notFound = (): Refusal => new Refusal(404, 'Not found', 'The requested resource could not be found.')

/** A 422 that names the field, as in the provider's API. */
export function invalid(field: string, description: string): Refusal {
  return new Refusal(422, 'Input validation failed', `- ${field}: ${description}\n`, {
    invalid_fields: [{ type: 'invalid', field, description }],
  })
}

export function send(response: ServerResponse, { status, body, headers }: Answer): void {
  if (response.headersSent || response.destroyed) return
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text)
}

const BODY_LIMIT = 1_048_576

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > BODY_LIMIT) throw new Refusal(413, 'Payload too large', 'The request body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal(400, 'Bad request', error instanceof Error ? error.message : 'invalid JSON')
  }
}

/** A wait that does not keep the process alive and ends early when aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
