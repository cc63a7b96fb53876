import { AppError, type ProblemDetails } from '../../errors.ts'
import type { RateLimitDecision, RateLimitName } from '../../upstreams/limiter/limits.ts'
import type { RequestDeps } from '../deps.ts'

/**
 * The 429 of a limit, with `Retry-After`, `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
 * `name` is the limit's own: one of the port's, or `paid`.
 */
export function rateLimited(
  name: RateLimitName | 'paid',
  decision: Omit<RateLimitDecision, 'allowed'>,
  details: ProblemDetails = {},
): AppError {
  const { limit, windowSeconds, retryAfterSeconds } = decision
  return new AppError(
    'rate_limited',
    {
      detail: `At most ${limit} such requests per ${windowSeconds} seconds. Try again in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
      ...details,
    },
    {
      headers: {
        RateLimit: `"${name}";r=0;t=${retryAfterSeconds}`,
        'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
      },
    },
  )
}

/** Counts one request of `key` (a client address or a wallet) for its rate limit. Throws `rate_limited` with these details when over the limit. */
export async function enforceRateLimit(
  deps: RequestDeps,
  name: RateLimitName,
  key: string,
  details: ProblemDetails = {},
): Promise<void> {
  const decision = await countCall(deps, name, key)
  if (!decision.allowed) throw rateLimited(name, decision, details)
}

/** Counts one request of `key`, and says whether it is within the limit; always while the limits are off. */
export async function countCall(deps: RequestDeps, name: RateLimitName, key: string): Promise<RateLimitDecision> {
  if (deps.config.rateLimits) return deps.rateLimiter.take(name, key.toLowerCase())
  return { allowed: true, limit: 0, windowSeconds: 0, retryAfterSeconds: 0 }
}
