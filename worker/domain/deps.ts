import type { Database } from '../../db/client.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../lib/log.ts'
import type { Chain } from '../upstreams/chain/chain.ts'
import type { ErrorTracker } from '../upstreams/error-tracking/error-tracker.ts'
import type { Facilitator } from '../upstreams/facilitator/facilitator.ts'
import type { RateLimiter } from '../upstreams/limiter/limits.ts'
import type { Provider } from '../upstreams/provider/provider.ts'
import type { Waker } from '../upstreams/queue/waker.ts'
import type { ObjectStore } from '../upstreams/store/object-store.ts'
import type { UpstreamHealth } from '../upstreams/upstream-health.ts'

/** The outside world, as the domain sees it. Built once per isolate by `deps.ts`; tests build their own. */
export interface Deps {
  config: Config
  database: Database
  facilitator: Facilitator
  chain: Chain
  provider: Provider
  store: ObjectStore
  rateLimiter: RateLimiter
  /** Which upstreams failed recently, in this isolate. */
  upstreams: UpstreamHealth
  /** Absent where `ERROR_TRACKING_DSN` is not set. */
  errorTracker?: ErrorTracker
  /** Absent where no queue is bound: then the scheduled job finds what is due. */
  waker?: Waker
  now(): Date
  /** A random UUID. */
  newId(): string
  /** Resolves after `ms`; tests make it instant. */
  sleep(ms: number): Promise<void>
}

/** Deps plus what belongs to one request. */
export interface RequestDeps extends Deps {
  log: Log
  /** Keeps the isolate alive until the promise ends, also after the client left. */
  waitUntil(promise: Promise<unknown>): void
}

/** A signed-in wallet. `address` is EIP-55. */
export interface Session {
  address: `0x${string}`
  chainId: number
}
