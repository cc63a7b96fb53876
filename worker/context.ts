import type { Database } from '../db/client.ts'
import type { RequestProof } from './auth/request-proof.ts'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config/config.ts'
import type { ErrorTracker } from './error-tracking/error-tracker.ts'
import type { Log } from './lib/log.ts'
import type { UpstreamHealth } from './lib/upstream-health.ts'
import type { Timings } from './metrics/timings.ts'
import type { Facilitator } from './payments/facilitator.ts'
import type { Provider } from './providers/provider.ts'
import type { RateLimiter } from './rate-limits/limits.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { Waker } from './wake-ups/waker.ts'

/** What the outside world is to the domain. Built once per isolate by `deps.ts`; tests build their own. */
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

/** Hono's environment: what middleware sets on the context. */
export interface AppEnv {
  /** Variables, secrets and bindings of the platform; only `env.ts` and `deps.ts` read them. */
  Bindings: object
  Variables: {
    requestId: string
    /** The caller's network address as the platform vouches for it; `unknown` where it does not. */
    clientAddress: string
    log: Log
    /** Not there while the deployment is misconfigured. */
    timings?: Timings
    deps: RequestDeps
    /** The configured origin that the request came in through. */
    origin: string
    /** The request's cookies. */
    cookies: Readonly<Record<string, string>>
    session: Session | null
    /** The session's proof where it came with this very request, in `SIGN-IN-WITH-X`. */
    proof: RequestProof | null
    /** The model that the request names, if it names one. */
    modelId?: string
  }
}
