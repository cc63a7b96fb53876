import type { RateLimitName } from './rate-limiter.ts'

export const WINDOW_SECONDS = 60

/** Requests per minute: per client address, and `unpaid` per wallet. */
export const LIMITS: Record<RateLimitName, number> = { verify: 20, models: 60, estimate: 60, unpaid: 10 }
