import type { RequestDeps } from '../../context.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'

/** Streams that may follow one purchase at a time, in one isolate. */
const MAX_FOLLOWERS = 4
/** A stream that was not renewed for this long is gone: on Workers its code may end without a last word. */
const ALIVE_MS = 30_000

const open = makeIsolateCache<ReadonlyMap<string, number>>()

export interface StreamSlot {
  /** Keeps the slot for 30 s more. */
  renew(): void
  release(): void
}

/** A place for one more follower of a purchase; null when there are enough. */
export function takeStreamSlot(deps: RequestDeps, inferenceId: string): StreamSlot | null {
  const id = deps.newId()
  const others = (): [string, number][] => {
    const slots = open.get(deps.upstreams, inferenceId) ?? new Map<string, number>()
    return [...slots].filter(([key, until]) => key !== id && until > deps.now().getTime())
  }
  const renew = (): void =>
    open.set(deps.upstreams, inferenceId, new Map([...others(), [id, deps.now().getTime() + ALIVE_MS]]))
  if (others().length >= MAX_FOLLOWERS) return null
  renew()
  return { renew, release: () => open.set(deps.upstreams, inferenceId, new Map(others())) }
}
