import autocannon, { type Options, type Result } from 'autocannon'

export interface LoadOptions {
  url: string
  body: string
  /** Headers of the calls: each connection goes through the list again and again. */
  callers: readonly Record<string, string>[]
  connections: number
  /** Either so long or so many requests. */
  seconds?: number
  amount?: number
  /** The one status that counts as an answer. */
  expect: number
  /** Headers for each request in turn, for calls that can be made only once. */
  nextHeaders?(): Record<string, string>
}

export interface Load {
  requests: number
  seconds: number
  perSecond: number
  /** Milliseconds of each answer. */
  latencies: number[]
}

/** Sends `POST` requests, the next one of a connection when the last one is answered. Throws when any answer is not as expected. */
export async function load(options: LoadOptions): Promise<Load> {
  const { url, body, callers, connections, expect, nextHeaders } = options
  const latencies: number[] = []
  const odd = new Map<number, number>()
  const began = performance.now()
  // autocannon itself ends on a whole second.
  let lastAt = began
  const result = await fire(
    {
      url,
      connections,
      timeout: 60,
      ...(options.amount === undefined ? { duration: options.seconds ?? 1 } : { amount: options.amount }),
      requests: callers.map((headers) => ({
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        ...(nextHeaders && {
          setupRequest: (request) => ({ ...request, headers: { ...request.headers, ...nextHeaders() } }),
        }),
      })),
    },
    (status, milliseconds) => {
      latencies.push(milliseconds)
      lastAt = performance.now()
      if (status !== expect) odd.set(status, (odd.get(status) ?? 0) + 1)
    },
  )
  const seconds = (lastAt - began) / 1000
  if (odd.size > 0 || result.errors > 0) {
    throw new Error(`${result.errors} lost calls and unexpected answers ${JSON.stringify([...odd])} from ${url}`)
  }
  return { requests: latencies.length, seconds, perSecond: latencies.length / seconds, latencies }
}

/** The promise of autocannon cannot be listened to, its callback form can. */
function fire(options: Options, onAnswer: (status: number, milliseconds: number) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    run.on('response', (_client, status, _bytes, milliseconds) => onAnswer(status, milliseconds))
  })
}
