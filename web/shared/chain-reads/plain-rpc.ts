import { fields, isFields, maybeNum, maybeStr } from '../shape.ts'

interface Asked {
  method: string
  params: readonly unknown[]
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A node's error, answered instead of a result. */
export class NodeError extends Error {
  /** Of a contract that refused, where the node sends it. */
  readonly data: unknown
  constructor(message: string, data: unknown) {
    super(message)
    this.name = 'NodeError'
    this.data = data
  }
}

export type PlainRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const TIMEOUT_MS = 10_000
const MOST_CALLS_PER_REQUEST = 50
const TRIES = 2

/**
 * A node's JSON-RPC without a library, for sites that must stay small. Calls that are made at once leave in one request, which is sent
 * once more when it fails. A call throws `NodeError` with the node's message.
 */
export function createPlainRpc(url: string): PlainRpc {
  let waiting: Asked[] = []
  const flush = (): void => {
    const asked = waiting
    waiting = []
    for (let from = 0; from < asked.length; from += MOST_CALLS_PER_REQUEST) {
      void sendAll(url, asked.slice(from, from + MOST_CALLS_PER_REQUEST))
    }
  }
  return (method, params) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush)
      waiting.push({ method, params, resolve, reject })
    })
}

async function sendAll(url: string, asked: readonly Asked[]): Promise<void> {
  try {
    const answers = await post(url, asked)
    for (const [id, { resolve, reject }] of asked.entries()) {
      const answer = answers.get(id)
      const error = answer?.['error']
      if (answer === undefined) reject(new NodeError('The node left out an answer.', null))
      else if (isFields(error)) reject(new NodeError(maybeStr(error, 'message') ?? 'The node refused.', error['data']))
      else resolve(answer['result'])
    }
  } catch (cause) {
    for (const { reject } of asked) reject(cause instanceof Error ? cause : new Error(String(cause)))
  }
}

async function post(
  url: string,
  asked: readonly Asked[],
  triesLeft = TRIES,
): Promise<Map<number, ReturnType<typeof fields>>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new NodeError(`The node answers with status ${response.status}.`, null)
    const body: unknown = await response.json()
    // A node may refuse a whole batch with one answer.
    const all: unknown[] = Array.isArray(body) ? body : asked.map((_, id) => ({ ...fields(body), id }))
    return new Map(all.map((one) => fields(one)).map((one) => [maybeNum(one, 'id') ?? -1, one]))
  } catch (error) {
    if (triesLeft > 1) return post(url, asked, triesLeft - 1)
    throw error
  }
}
