import type { RateLimiter } from '../../../worker/rate-limits/rate-limiter.ts'

/** Lets everything pass until `allowed` is false; `taken` records what was counted. */
export function makeFakeRateLimiter() {
  const state = { allowed: true, taken: [] as string[] }
  const limiter: RateLimiter = {
    async take(name, key) {
      state.taken.push(`${name}:${key}`)
      return { allowed: state.allowed, limit: 20, windowSeconds: 60, retryAfterSeconds: 7 }
    },
  }
  return Object.assign(limiter, { state })
}
