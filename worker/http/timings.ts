import { MEASURED_UPSTREAMS, type MeasuredUpstream } from '../upstreams/latencies.ts'

/** How long one request waited for each upstream. */
export interface Timings {
  /** Marks the start of a call. Call the returned function at its end; it returns the milliseconds the call took. */
  begin(upstream: MeasuredUpstream): () => number
  /** Milliseconds during which at least one call to the upstream was open. Only upstreams that took time; without calls that are still open. */
  spent(): ReadonlyMap<MeasuredUpstream, number>
}

interface Span {
  open: number
  /** Since when the present calls are counted. */
  since: number
  ms: number
}

/** Calls that overlap count once, so that an upstream's share is never more than the request took. */
export function makeTimings(now: () => Date): Timings {
  const spans = new Map<MeasuredUpstream, Span>()
  return {
    begin(upstream) {
      const startedAt = now().getTime()
      const span = spans.get(upstream) ?? { open: 0, since: startedAt, ms: 0 }
      spans.set(upstream, span)
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
      const spent = new Map<MeasuredUpstream, number>()
      for (const upstream of MEASURED_UPSTREAMS) {
        const ms = spans.get(upstream)?.ms ?? 0
        if (ms > 0) spent.set(upstream, ms)
      }
      return spent
    },
  }
}

/** `Server-Timing`: the whole time, then the upstreams' shares. */
export function serverTiming(totalMs: number, spent: ReadonlyMap<string, number>): string {
  return [`app;dur=${totalMs}`, ...[...spent].map(([upstream, ms]) => `${upstream};dur=${ms}`)].join(', ')
}
