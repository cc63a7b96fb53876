import type { RequestDeps } from '../context.ts'
import { AppError } from '../errors.ts'
import type { RateLimitDecision, RateLimitName } from './rate-limiter.ts'

/**
 * The 429 of a limit, with `Retry-After`, `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
 * `name` is the limit's own: one of the port's, or `paid`.
 */
export function rateLimited(name: RateLimitName | 'paid', decision: Omit<RateLimitDecision, 'allowed'>): AppError {
  const { limit, windowSeconds, retryAfterSeconds } = decision
  return new AppError(
    'rate_limited',
    {
      detail: `At most ${limit} such requests per ${windowSeconds} seconds. Try again in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    },
    {
      headers: {
        RateLimit: `"${name}";r=0;t=${retryAfterSeconds}`,
        'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
      },
    },
  )
}

/** Counts one request of `key` (a client address or a wallet). Throws `rate_limited` when it is one too many. */
export async function enforceRateLimit(deps: RequestDeps, name: RateLimitName, key: string): Promise<void> {
  if (!deps.config.rateLimits) return
  const decision = await deps.rateLimiter.take(name, key.toLowerCase())
  if (!decision.allowed) throw rateLimited(name, decision)
}
