import { LIMITS, type RateLimiter, WINDOW_SECONDS } from './limits.ts'

const WINDOW_MS = WINDOW_SECONDS * 1000
/** Past this many keys room is made; a flood of addresses cannot fill the memory. */
const MAX_KEYS = 10_000

interface Counter {
  windowStartedAt: number
  count: number
  limit: number
}

/** Fixed windows in this process's memory: for Node, and where a Worker has no rate-limit binding. */
export function makeMemoryRateLimiter(now: () => Date): RateLimiter {
  const counters = new Map<string, Counter>()
  const drop = (isDue: (counter: Counter) => boolean): void => {
    for (const [key, counter] of counters) if (isDue(counter)) counters.delete(key)
  }
  /** Expired counters go first, then those within their limits, then all. */
  const makeRoom = (time: number): void => {
    drop(({ windowStartedAt }) => time - windowStartedAt >= WINDOW_MS)
    if (counters.size >= MAX_KEYS) drop(({ count, limit }) => count < limit)
    if (counters.size >= MAX_KEYS) counters.clear()
  }
  return {
    async take(name, key) {
      const time = now().getTime()
      const id = `${name}:${key}`
      let counter = counters.get(id)
      if (counter === undefined || time - counter.windowStartedAt >= WINDOW_MS) {
        if (counters.size >= MAX_KEYS) makeRoom(time)
        counter = { windowStartedAt: time, count: 0, limit: LIMITS[name] }
        counters.set(id, counter)
      }
      counter.count += 1
      return {
        allowed: counter.count <= LIMITS[name],
        limit: LIMITS[name],
        windowSeconds: WINDOW_SECONDS,
        retryAfterSeconds: Math.max(1, Math.ceil((counter.windowStartedAt + WINDOW_MS - time) / 1000)),
      }
    },
  }
}
