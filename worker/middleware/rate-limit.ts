import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { rateLimitKey } from '../lib/client-address.ts'
import { enforceRateLimit } from '../rate-limits/enforce.ts'
import type { RateLimitName } from '../rate-limits/rate-limiter.ts'

/** Middleware: counts the request under the caller's network address; 429 `rate_limited` when it is one too many. */
export const rateLimit =
  (name: RateLimitName): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await enforceRateLimit(c.get('deps'), name, rateLimitKey(c.get('clientAddress')))
    await next()
  }
