import { type Latencies, makeLatencies } from '../metrics/latencies.ts'

/** The peers without which nothing should be sold. */
export type Peer = 'provider' | 'store'

/** Remembers, per isolate, whether a peer failed lately, so that nobody is charged for a run that cannot happen. */
export interface PeerHealth {
  /** A call of a purchase to this peer failed. */
  recordFailure(peer: Peer, now: Date): void
  /** A call succeeded: the row of failures ends. */
  recordSuccess(peer: Peer): void
  /** What the health check saw. */
  recordCheck(peer: Peer, ok: boolean, now: Date): void
  /** Three failures in a row, the last not older than 30 s, or a failed check not older than 30 s. */
  isDown(peer: Peer, now: Date): boolean
  /** How long the calls of this isolate took. */
  readonly latencies: Latencies
}

const FAILURES_IN_A_ROW = 3
const MEMORY_MS = 30_000

interface Memory {
  failures: number
  lastFailureAt: number
  failedCheckAt: number
}

/** A memory for one isolate: plain numbers, no I/O, safe to share between requests. */
export function makePeerHealth(): PeerHealth {
  const memories = new Map<Peer, Memory>()
  const memoryOf = (peer: Peer): Memory => {
    const known = memories.get(peer) ?? { failures: 0, lastFailureAt: -Infinity, failedCheckAt: -Infinity }
    memories.set(peer, known)
    return known
  }
  const forget = (peer: Peer): void => void memories.delete(peer)
  return {
    latencies: makeLatencies(),
    recordFailure(peer, now) {
      const memory = memoryOf(peer)
      memory.failures += 1
      memory.lastFailureAt = now.getTime()
    },
    recordSuccess: forget,
    recordCheck(peer, ok, now) {
      if (ok) forget(peer)
      else memoryOf(peer).failedCheckAt = now.getTime()
    },
    isDown(peer, now) {
      const { failures, lastFailureAt, failedCheckAt } = memoryOf(peer)
      const oldest = now.getTime() - MEMORY_MS
      return (failures >= FAILURES_IN_A_ROW && lastFailureAt >= oldest) || failedCheckAt >= oldest
    },
  }
}
