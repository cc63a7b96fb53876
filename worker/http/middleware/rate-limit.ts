import type { MiddlewareHandler } from 'hono'
import { enforceRateLimit } from '../../domain/rate-limits/enforce.ts'
import { rateLimitKey } from '../../lib/client-address.ts'
import type { RateLimitName } from '../../upstreams/limiter/limits.ts'
import type { AppEnv } from '../context.ts'

/** Middleware: counts the request under the caller's network address; 429 `rate_limited` when it is one too many. */
export const rateLimit =
  (name: RateLimitName): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await enforceRateLimit(c.get('deps'), name, rateLimitKey(c.get('clientAddress')))
    await next()
  }
