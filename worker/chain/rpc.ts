import * as z from 'zod'
import { call, excerpt, type Fetch, HttpError, jsonOf, withDeadline } from '../lib/http.ts'
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

const DEADLINE_MS = 5_000
/** Blocks with many transactions have long receipts; a log range is bounded by its own width. */
const MAX_BYTES = 8 * 1024 * 1024

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})

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

async function send(url: string, fetch: Fetch, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await call(fetch, url, { method: 'POST', headers, body, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
  const parsed = answerSchema.safeParse(jsonOf(answer.text))
  if (parsed.success && parsed.data.error) throw new RpcRefusal(parsed.data.error.code, parsed.data.error.message)
  if (!parsed.success || parsed.data.result === undefined) {
    throw new ChainUnavailable(`the RPC answered with status ${answer.status} and no result`)
  }
  return parsed.data.result
}
