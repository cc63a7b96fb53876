/** The decision of a rate limit on one call. */
export interface RateLimitDecision {
  allowed: boolean
  /** Requests per window. */
  limit: number
  windowSeconds: number
  /** Whole seconds to wait, at least 1, when not allowed. */
  retryAfterSeconds: number
}

/** Names of the limits that are not counted in the database. */
export type RateLimitName =
  | 'verify'
  | 'models'
  | 'estimate'
  | 'account'
  | 'unpaid'
  | 'claims'
  | 'malformed'
  | 'reads'
  | 'searches'

/** Counts a request against a named limit for one key (a client address or a wallet). Approximate on Cloudflare. */
export interface RateLimiter {
  take(name: RateLimitName, key: string): Promise<RateLimitDecision>
}

export const WINDOW_SECONDS = 60

/** Requests per minute: `account`, `unpaid`, `reads` and `searches` per wallet, the others per client address. */
export const LIMITS: Record<RateLimitName, number> = {
  verify: 20,
  models: 60,
  estimate: 60,
  account: 60,
  unpaid: 10,
  claims: 120,
  malformed: 120,
  reads: 120,
  searches: 30,
}
