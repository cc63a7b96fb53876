import { makeIsolateCache } from './isolate-cache.ts'

/** A slot that was not renewed for this long is free again: on Workers a request's code may stop without a last word. */
const ALIVE_MS = 30_000

const pools = makeIsolateCache<ReadonlyMap<string, number>>()

export interface Slot {
  /** Keeps the slot for 30 s more. */
  renew(): void
  release(): void
}

interface SlotDeps {
  /** One per isolate: it stands for the isolate's memory. */
  upstreams: object
  now(): Date
  newId(): string
}

/** One of `max` slots of a pool, in this isolate, for 30 s; null when all are taken. */
export function takeSlot(deps: SlotDeps, pool: string, max: number): Slot | null {
  const id = deps.newId()
  const others = (): [string, number][] => {
    const slots = pools.get(deps.upstreams, pool) ?? new Map<string, number>()
    return [...slots].filter(([key, until]) => key !== id && until > deps.now().getTime())
  }
  const renew = (): void =>
    pools.set(deps.upstreams, pool, new Map([...others(), [id, deps.now().getTime() + ALIVE_MS]]))
  if (others().length >= max) return null
  renew()
  return { renew, release: () => pools.set(deps.upstreams, pool, new Map(others())) }
}
