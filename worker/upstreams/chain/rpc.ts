import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { call, type Fetch, HttpError, jsonOf, withDeadline } from '../../lib/http.ts'
import { excerpt } from '../../lib/text.ts'
import { ChainUnavailable } from './chain.ts'

/** The node answered, with an error: a revert, a range or a block it does not serve, a limit. */
export class RpcRefusal extends ChainUnavailable {
  /** True when the called code itself failed, so that asking another node would not help. */
  readonly reverted: boolean

  constructor(code: number, message: string) {
    super(excerpt(`RPC error ${code}: ${message}`))
    this.name = 'RpcRefusal'
    this.reverted = code === 3 || /revert|invalid opcode|out of gas|stack (under|over)flow/i.test(message)
  }
}

/** One JSON-RPC call, its result checked. Throws `RpcRefusal`, or `ChainUnavailable` when there is no sensible answer. */
export type Rpc = <T>(method: string, params: readonly unknown[], result: z.ZodType<T>) => Promise<T>

/** Several calls in one; their results in the same order, `undefined` where one failed. Null where the node takes no batches. */
export type RpcBatch = (calls: readonly { method: string; params: readonly unknown[] }[]) => Promise<unknown[] | null>

const DEADLINE_MS = 5_000
/** Blocks with many transactions have long receipts; a log range is bounded by its own width. */
const MAX_BYTES = 8 * 1024 * 1024

const answerSchema = once(() =>
  z.object({
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string() }).nullish(),
  }),
)

/**
 * A JSON-RPC client: 5 s for a call, within which it is tried once more when the connection or the node fails (all calls here
 * are reads). Nothing is shared between calls, since Workers do not let one request wait for another's I/O.
 */
export function makeRpc(url: string, fetch: Fetch): Rpc {
  return async (method, params, schema) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const result = await withDeadline(DEADLINE_MS, () => attempt(url, fetch, body, 2)).catch((error: unknown) => {
      if (error instanceof HttpError) throw new ChainUnavailable(`${method}: ${error.message}`, { cause: error })
      throw error
    })
    const parsed = schema.safeParse(result)
    if (parsed.success) return parsed.data
    throw new ChainUnavailable(`${method}: an answer that cannot be read`, { cause: parsed.error })
  }
}

async function attempt(url: string, fetch: Fetch, body: string, tries: number): Promise<unknown> {
  try {
    return await send(url, fetch, body)
  } catch (error) {
    const again = tries > 1 && !(error instanceof RpcRefusal)
    if (again) return attempt(url, fetch, body, tries - 1)
    throw error
  }
}

const batchSchema = once(() => z.array(answerSchema().extend({ id: z.number() })))

/** A JSON-RPC client for batches: 5 s for all, sent once. Throws `ChainUnavailable` when there is no sensible answer. */
export function makeRpcBatch(url: string, fetch: Fetch): RpcBatch {
  return async (calls) => {
    const body = JSON.stringify(calls.map((one, id) => ({ jsonrpc: '2.0', id, ...one })))
    const answer = await post(url, fetch, body).catch((error: unknown) => {
      if (error instanceof HttpError) throw new ChainUnavailable(`a batch: ${error.message}`, { cause: error })
      throw error
    })
    const parsed = batchSchema().safeParse(jsonOf(answer.text))
    if (parsed.success) {
      const results = new Map(parsed.data.map(({ id, result }) => [id, result]))
      return calls.map((_call, id) => results.get(id))
    }
    if (answer.status === 429 || answer.status >= 500) {
      throw new ChainUnavailable(`a batch: status ${answer.status}`)
    }
    return null
  }
}

const post = (url: string, fetch: Fetch, body: string) =>
  call(fetch, url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
  })

async function send(url: string, fetch: Fetch, body: string): Promise<unknown> {
  const answer = await post(url, fetch, body)
  const parsed = answerSchema().safeParse(jsonOf(answer.text))
  if (parsed.success && parsed.data.error) throw new RpcRefusal(parsed.data.error.code, parsed.data.error.message)
  if (!parsed.success || parsed.data.result === undefined) {
    throw new ChainUnavailable(`the RPC answered with status ${answer.status} and no result`)
  }
  return parsed.data.result
}
