import { withDeadline } from './http.ts'
import { describeError, type Log, shortAddress } from './log.ts'

/** A failed read is not repeated for this long, so that a request with many prices waits once. */
const FAILURE_MS = 2_000
const DEADLINE_MS = 2_000
/** Bounds the memory of an isolate that many wallets visit. */
const MAX_ENTRIES = 10_000

interface Entry<Value> {
  /** Null: the read failed. */
  value: Value | null
  readAt: number
}

interface Read<Value> {
  /** The name of the value, for the key and the log. */
  what: string
  account: string
  chainId: number
  ask(): Promise<Value>
}

interface ReadDeps {
  /** One per isolate: it stands for the isolate's memory. */
  upstreams: object
  log: Log
  now(): Date
}

/**
 * Makes a per-isolate cache of chain reads. A read returns the value kept for `keptMs`, or null when the chain did not answer
 * within 2 s, which is logged as `failedEvent`. It keeps values only: on Workers a promise belongs to its own request.
 */
export function makeReadCache<Value>(failedEvent: string, keptMs: number) {
  const caches = new WeakMap<object, Map<string, Entry<Value>>>()
  return async (deps: ReadDeps, { what, account, chainId, ask }: Read<Value>): Promise<Value | null> => {
    const cache = caches.get(deps.upstreams) ?? new Map<string, Entry<Value>>()
    caches.set(deps.upstreams, cache)
    const key = `${what}:${chainId}:${account.toLowerCase()}`
    const known = cache.get(key)
    const ageMs = known === undefined ? Infinity : deps.now().getTime() - known.readAt
    if (known !== undefined && ageMs < (known.value === null ? FAILURE_MS : keptMs)) return known.value
    const value = await withDeadline(DEADLINE_MS, ask).catch((cause: unknown) => {
      deps.log.error(failedEvent, { what, chainId, wallet: shortAddress(account), cause: describeError(cause) })
      return null
    })
    if (cache.size >= MAX_ENTRIES) cache.clear()
    cache.set(key, { value, readAt: deps.now().getTime() })
    return value
  }
}
