export interface RateLimitDecision {
  allowed: boolean
  /** Requests per window. */
  limit: number
  windowSeconds: number
  /** Whole seconds to wait, at least 1, when not allowed. */
  retryAfterSeconds: number
}

/** Names of the limits that are not counted in the database. */
export type RateLimitName = 'verify' | 'models' | 'estimate' | 'account' | 'unpaid' | 'claims'

/** Counts a request against a named limit for one key (a client address or a wallet). Approximate on Cloudflare. */
export interface RateLimiter {
  take(name: RateLimitName, key: string): Promise<RateLimitDecision>
}
