/** Whom the worker waits for: database, facilitator, chain RPC, model provider, object store. */
export const MEASURED_UPSTREAMS = ['db', 'facilitator', 'chain', 'provider', 'store'] as const
export type MeasuredUpstream = (typeof MEASURED_UPSTREAMS)[number]

export interface LatencySummary {
  /** Calls that ended since this isolate began. */
  calls: number
  /** Those of them that threw. */
  failures: number
  /** Whole milliseconds over the latest calls; null before the first. */
  p50Ms: number | null
  p95Ms: number | null
}

/** How long calls to each upstream took, in this isolate's memory. */
export interface Latencies {
  record(upstream: MeasuredUpstream, ms: number, ok: boolean): void
  summary(): Record<MeasuredUpstream, LatencySummary>
}

const REMEMBERED = 500

interface Track {
  calls: number
  failures: number
  /** A ring: the latest durations in no order. */
  latest: number[]
}

/** Nearest rank: the least value that `share` of all values do not exceed. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

function summarize({ calls, failures, latest }: Track): LatencySummary {
  const sorted = latest.toSorted((a, b) => a - b)
  return { calls, failures, p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95) }
}

/** Keeps counts for good and the latest 500 durations per upstream. */
export function makeLatencies(): Latencies {
  const track = (): Track => ({ calls: 0, failures: 0, latest: [] })
  const tracks: Record<MeasuredUpstream, Track> = {
    db: track(),
    facilitator: track(),
    chain: track(),
    provider: track(),
    store: track(),
  }
  return {
    record(upstream, ms, ok) {
      const known = tracks[upstream]
      known.latest[known.calls % REMEMBERED] = ms
      known.calls += 1
      if (!ok) known.failures += 1
    },
    summary: () => ({
      db: summarize(tracks.db),
      facilitator: summarize(tracks.facilitator),
      chain: summarize(tracks.chain),
      provider: summarize(tracks.provider),
      store: summarize(tracks.store),
    }),
  }
}
