import { LIMITS, type RateLimiter, type RateLimitName, WINDOW_SECONDS } from './limits.ts'

/** A `[[ratelimits]]` binding of Workers; its limit and period are in `wrangler.toml` and must equal `LIMITS`. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

export const BINDING_NAMES: Record<RateLimitName, string> = {
  verify: 'LIMIT_VERIFY',
  models: 'LIMIT_MODELS',
  estimate: 'LIMIT_ESTIMATE',
  account: 'LIMIT_ACCOUNT',
  unpaid: 'LIMIT_UNPAID',
  claims: 'LIMIT_CLAIMS',
  malformed: 'LIMIT_MALFORMED',
  reads: 'LIMIT_READS',
  searches: 'LIMIT_SEARCHES',
}

/**
 * Counts through Cloudflare's bindings: fast, per location, approximate. They do not say when the window ends. `fallback` counts
 * for a name without a binding.
 */
export function makeBindingRateLimiter(
  bindingOf: (name: RateLimitName) => RateLimitBinding | undefined,
  fallback: RateLimiter,
): RateLimiter {
  return {
    async take(name, key) {
      const binding = bindingOf(name)
      if (binding === undefined) return fallback.take(name, key)
      const { success } = await binding.limit({ key })
      return { allowed: success, limit: LIMITS[name], windowSeconds: WINDOW_SECONDS, retryAfterSeconds: WINDOW_SECONDS }
    },
  }
}
