import { AppError } from '../../errors.ts'
import { type Slot, takeSlot } from '../../lib/slots.ts'
import type { RateLimitName } from '../../upstreams/limiter/limits.ts'
import type { RequestDeps } from '../deps.ts'
import { enforceRateLimit, rateLimited } from './enforce.ts'

/** The most that one kind of read may take. `docs/security.md` shows this table. */
interface ReadCost {
  /** Its limit per wallet and minute; null for what is never refused by count. */
  limit: RateLimitName | null
  /** How many run at once, per wallet or in this isolate. */
  atOnce: number
  per: 'wallet' | 'isolate'
  /** A read that finds no slot waits for one up to this long. */
  waitMs: number
}

/**
 * Reads of one's own that cost more than they show. `replayed files` are those that a replay streams or encodes: a payment was made
 * for them, so they are never refused by count.
 */
export const READ_COSTS = {
  history: { limit: 'reads', atOnce: 20, per: 'wallet', waitMs: 0 },
  status: { limit: 'reads', atOnce: 20, per: 'wallet', waitMs: 0 },
  search: { limit: 'searches', atOnce: 1, per: 'wallet', waitMs: 0 },
  csv: { limit: 'searches', atOnce: 1, per: 'wallet', waitMs: 0 },
  receipt: { limit: 'searches', atOnce: 8, per: 'wallet', waitMs: 0 },
  'digested files': { limit: null, atOnce: 4, per: 'isolate', waitMs: 0 },
  'replayed files': { limit: null, atOnce: 8, per: 'isolate', waitMs: 5_000 },
} as const satisfies Record<string, ReadCost>

export type ReadKind = keyof typeof READ_COSTS

const LOOK_AGAIN_MS = 100

/**
 * Counts a read and takes its slot, which its caller releases. `reader` is the wallet, or the id of what is read by its key. Throws
 * `rate_limited`; for files `model_unavailable`, since payment and result are safe.
 */
export async function startRead(deps: RequestDeps, kind: ReadKind, reader: string): Promise<Slot> {
  const { limit, atOnce, per, waitMs } = READ_COSTS[kind]
  if (limit !== null) await enforceRateLimit(deps, limit, reader)
  const pool = per === 'wallet' ? `${kind} ${reader.toLowerCase()}` : kind
  const until = deps.now().getTime() + waitMs
  for (;;) {
    const slot = takeSlot(deps, pool, atOnce)
    if (slot !== null) return slot
    if (deps.now().getTime() >= until) break
    await deps.sleep(LOOK_AGAIN_MS)
  }
  if (limit !== null) throw rateLimited(limit, { limit: atOnce, windowSeconds: 1, retryAfterSeconds: 1 })
  throw new AppError('model_unavailable', {
    detail: 'Too many files are read at this moment. The payment and the result are safe: try again.',
    paymentState: 'settled',
    nextAction: 'retry_same_payment',
    retryAfterSeconds: 5,
  })
}

/** Runs a read in its slot. Throws as `startRead` does. */
export async function inSlot<T>(deps: RequestDeps, kind: ReadKind, reader: string, read: () => Promise<T>): Promise<T> {
  const slot = await startRead(deps, kind, reader)
  try {
    return await read()
  } finally {
    slot.release()
  }
}

/** Opens a stream in the slot of a read, which its bytes keep until they end: `keep` takes each stream. Throws as `startRead` does. */
export async function streamInSlot<T>(
  deps: RequestDeps,
  kind: ReadKind,
  reader: string,
  open: (keep: (stream: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>) => Promise<T>,
): Promise<T> {
  const slot = await startRead(deps, kind, reader)
  try {
    return await open((stream) => slotted(stream, slot))
  } catch (error) {
    slot.release()
    throw error
  }
}

/** The stream, which keeps its slot until it ends, breaks off or is left. */
export function slotted(stream: ReadableStream<Uint8Array>, slot: Slot): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream({
    async pull(controller) {
      slot.renew()
      try {
        const { done, value } = await reader.read()
        if (value !== undefined) controller.enqueue(value)
        if (!done) return
        slot.release()
        controller.close()
      } catch (error) {
        slot.release()
        controller.error(error)
      }
    },
    cancel(reason) {
      slot.release()
      return reader.cancel(reason)
    },
  })
}
