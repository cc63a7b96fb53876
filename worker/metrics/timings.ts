import { MEASURED_PEERS, type MeasuredPeer } from './latencies.ts'

/** How long one request waited for each peer. */
export interface Timings {
  /** A call began; the function it gives is called at its end and tells how many milliseconds it took. */
  begin(peer: MeasuredPeer): () => number
  /** Milliseconds during which at least one call to the peer was open. Only peers that took any; open calls not yet. */
  spent(): ReadonlyMap<MeasuredPeer, number>
}

interface Span {
  open: number
  /** Since when the present calls are counted. */
  since: number
  ms: number
}

/** Calls that overlap count once, so that a peer's share is never more than the request took. */
export function makeTimings(now: () => Date): Timings {
  const spans = new Map<MeasuredPeer, Span>()
  return {
    begin(peer) {
      const startedAt = now().getTime()
      const span = spans.get(peer) ?? { open: 0, since: startedAt, ms: 0 }
      spans.set(peer, span)
      if (span.open === 0) span.since = startedAt
      span.open += 1
      return () => {
        const endedAt = now().getTime()
        span.open -= 1
        span.ms += endedAt - span.since
        span.since = endedAt
        return endedAt - startedAt
      }
    },
    spent: () => {
      const spent = new Map<MeasuredPeer, number>()
      for (const peer of MEASURED_PEERS) {
        const ms = spans.get(peer)?.ms ?? 0
        if (ms > 0) spent.set(peer, ms)
      }
      return spent
    },
  }
}

/** `Server-Timing`: the whole time, then the peers' shares. */
export function serverTiming(totalMs: number, spent: ReadonlyMap<string, number>): string {
  return [`app;dur=${totalMs}`, ...[...spent].map(([peer, ms]) => `${peer};dur=${ms}`)].join(', ')
}
