import { readJournalFigures } from '../../../db/queries/metrics.ts'
import type { LatencySummary, MeasuredUpstream } from '../../upstreams/latencies.ts'
import type { RequestDeps } from '../deps.ts'
import { journalStates } from '../purchase/state-machine.ts'

export interface Metrics {
  /** How many payments are in each state. */
  payments: Record<string, number>
  /** The oldest payment that has not come to its end. */
  oldestUnfinished: { inferenceId: string; state: string; createdAt: string; ageSeconds: number } | null
  /** How late the journal's next look is; more than a minute or two means that the scheduled job does not run. */
  overdueSeconds: number
  /** Calls of this isolate (or process) to each upstream. */
  peers: Record<MeasuredUpstream, LatencySummary>
  /** Upstreams that stop sales now, in this isolate's view. */
  down: ('provider' | 'store')[]
  asOf: string
}

const SECOND = 1000
const secondsSince = (then: Date, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - then.getTime()) / SECOND))

/** The figures that an operator watches. Throws `DatabaseUnavailable`. */
export async function readMetrics(deps: RequestDeps): Promise<Metrics> {
  const { counts, oldest, firstDue } = await readJournalFigures(deps.database)
  const now = deps.now()
  return {
    payments: Object.fromEntries(journalStates.map((state) => [state, counts[state] ?? 0])),
    oldestUnfinished: oldest && {
      ...oldest,
      createdAt: oldest.createdAt.toISOString(),
      ageSeconds: secondsSince(oldest.createdAt, now),
    },
    overdueSeconds: firstDue === null ? 0 : secondsSince(firstDue, now),
    peers: deps.upstreams.latencies.summary(),
    down: (['provider', 'store'] as const).filter((upstream) => deps.upstreams.isDown(upstream, now)),
    asOf: now.toISOString(),
  }
}
