import { type Latencies, makeLatencies } from './latencies.ts'

/** The services a sale depends on: while one is down, nothing is sold. */
export type Upstream = 'provider' | 'store'

/** A circuit breaker per isolate and service, of its recent failures: no buyer is charged for a run that cannot happen. */
export interface UpstreamHealth {
  /** A purchase's call to this service failed. */
  recordFailure(upstream: Upstream, now: Date): void
  /** A call succeeded: the count of failures starts again at 0. */
  recordSuccess(upstream: Upstream): void
  /** The result of a health check. */
  recordCheck(upstream: Upstream, ok: boolean, now: Date): void
  /** Three failures in a row, the last not older than 30 s, or a failed check not older than 30 s. */
  isDown(upstream: Upstream, now: Date): boolean
  /** How long the calls of this isolate took. */
  readonly latencies: Latencies
}

const FAILURES_IN_A_ROW = 3
const RECENT_MS = 30_000

interface Failures {
  failures: number
  lastFailureAt: number
  failedCheckAt: number
}

/** The record of one isolate: plain numbers, no I/O, safe to share between requests. */
export function makeUpstreamHealth(): UpstreamHealth {
  const records = new Map<Upstream, Failures>()
  const recordOf = (upstream: Upstream): Failures => {
    const known = records.get(upstream) ?? { failures: 0, lastFailureAt: -Infinity, failedCheckAt: -Infinity }
    records.set(upstream, known)
    return known
  }
  const forget = (upstream: Upstream): void => void records.delete(upstream)
  return {
    latencies: makeLatencies(),
    recordFailure(upstream, now) {
      const record = recordOf(upstream)
      record.failures += 1
      record.lastFailureAt = now.getTime()
    },
    recordSuccess: forget,
    recordCheck(upstream, ok, now) {
      if (ok) forget(upstream)
      else recordOf(upstream).failedCheckAt = now.getTime()
    },
    isDown(upstream, now) {
      const { failures, lastFailureAt, failedCheckAt } = recordOf(upstream)
      const oldest = now.getTime() - RECENT_MS
      return (failures >= FAILURES_IN_A_ROW && lastFailureAt >= oldest) || failedCheckAt >= oldest
    },
  }
}
