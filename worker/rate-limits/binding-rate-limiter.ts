import { LIMITS, WINDOW_SECONDS } from './limits.ts'
import type { RateLimiter, RateLimitName } from './rate-limiter.ts'

/** A `[[ratelimits]]` binding of Workers; its limit and period stand in `wrangler.toml` and must equal `LIMITS`. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

export const BINDING_NAMES: Record<RateLimitName, string> = {
  verify: 'LIMIT_VERIFY',
  models: 'LIMIT_MODELS',
  estimate: 'LIMIT_ESTIMATE',
  unpaid: 'LIMIT_UNPAID',
}

/** Counts through Cloudflare's bindings: fast, per location, approximate. They do not tell when the window ends. */
export function makeBindingRateLimiter(bindings: Record<RateLimitName, RateLimitBinding>): RateLimiter {
  return {
    async take(name, key) {
      const { success } = await bindings[name].limit({ key })
      return { allowed: success, limit: LIMITS[name], windowSeconds: WINDOW_SECONDS, retryAfterSeconds: WINDOW_SECONDS }
    },
  }
}
