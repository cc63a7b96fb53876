import type { Database } from '../db/client.ts'
import { makeNeonDatabase } from '../db/neon.ts'
import type { Config } from './config/config.ts'
import { loadConfig } from './config/env.ts'
import type { Deps } from './domain/deps.ts'
import type { Fetch } from './lib/http.ts'
import { makeViemChain } from './upstreams/chain/viem-chain.ts'
import { makeSentryTracker } from './upstreams/error-tracking/sentry.ts'
import { makeHttpFacilitator } from './upstreams/facilitator/http-facilitator.ts'
import { makeSkipFacilitator } from './upstreams/facilitator/skip-facilitator.ts'
import {
  BINDING_NAMES,
  makeBindingRateLimiter,
  type RateLimitBinding,
} from './upstreams/limiter/binding-rate-limiter.ts'
import type { RateLimiter } from './upstreams/limiter/limits.ts'
import { makeMemoryRateLimiter } from './upstreams/limiter/memory-rate-limiter.ts'
import { makeReplicate } from './upstreams/provider/replicate.ts'
import { makeQueueWaker, type QueueBinding } from './upstreams/queue/waker.ts'
import { makeS3Store } from './upstreams/store/s3.ts'
import { makeUpstreamHealth } from './upstreams/upstream-health.ts'

/** Workers want `fetch` called as the global's own, not as a method of something else. */
const callFetch: Fetch = (url, init) => fetch(url, init)
const now = (): Date => new Date()
const newId = (): string => crypto.randomUUID()
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const isBinding = (value: unknown): value is RateLimitBinding =>
  typeof value === 'object' && value !== null && 'limit' in value && typeof value.limit === 'function'

/** Cloudflare's limiter for each name that is bound, else one in this isolate's memory (Node, raw workerd). */
const makeRateLimiter = (env: Record<string, unknown>): RateLimiter =>
  makeBindingRateLimiter((name) => {
    const binding = env[BINDING_NAMES[name]]
    return isBinding(binding) ? binding : undefined
  }, makeMemoryRateLimiter(now))

/** Sends to the queue that is bound as `WAKE_UPS`. */
const isQueue = (value: unknown): value is QueueBinding =>
  typeof value === 'object' && value !== null && 'send' in value && typeof value.send === 'function'

const neon = ({ databaseUrl, databaseHttpUrl }: Config): Database =>
  makeNeonDatabase({ databaseUrl, ...(databaseHttpUrl !== undefined && { httpUrl: databaseHttpUrl }) })

/**
 * The one place where adapters are built. `env` holds variables, secrets and bindings; `makeDatabase` is Neon over HTTP on
 * Workers, and whatever a Node server prefers there. Throws `ConfigError`.
 */
export function makeDeps(env: object, makeDatabase: (config: Config) => Database = neon): Deps {
  const variables: Record<string, unknown> = { ...env }
  const config = loadConfig(variables)
  const chain = makeViemChain(config.networks, { fetch: callFetch })
  return {
    config,
    database: makeDatabase(config),
    facilitator: config.facilitator
      ? makeHttpFacilitator({ ...config.facilitator, fetch: callFetch })
      : makeSkipFacilitator({ config, chain, now, newId }),
    chain,
    provider: makeReplicate(config.provider, { fetch: callFetch }),
    store: makeS3Store(config.objectStore, { fetch: callFetch, sleep }),
    rateLimiter: makeRateLimiter(variables),
    upstreams: makeUpstreamHealth(),
    ...(config.errorTrackingDsn !== undefined && {
      errorTracker: makeSentryTracker({
        dsn: config.errorTrackingDsn,
        environment: config.environment,
        fetch: callFetch,
        now,
        newId,
      }),
    }),
    ...(isQueue(variables['WAKE_UPS']) && { waker: makeQueueWaker(variables['WAKE_UPS'], now) }),
    now,
    newId,
    sleep,
  }
}

/** Caches what `make` returned, or the error it threw, for each bindings object: once per isolate. */
export function oncePerEnv(make: (env: object) => Deps): (env: object) => Deps {
  const made = new WeakMap<object, { deps: Deps } | { fault: unknown }>()
  return (env) => {
    let known = made.get(env)
    if (known === undefined) {
      try {
        known = { deps: make(env) }
      } catch (fault) {
        known = { fault }
      }
      made.set(env, known)
    }
    if ('fault' in known) throw known.fault
    return known.deps
  }
}
