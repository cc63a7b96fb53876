import { DatabaseUnavailable } from '../../db/client.ts'
import { readModelSums } from '../../db/queries/stats.ts'
import type { RequestDeps } from '../context.ts'
import { describeError } from '../lib/log.ts'

/** Sum and count of a model's succeeded, timed runs. */
export interface ModelRuns {
  sumMs: bigint
  count: bigint
}
export type History = ReadonlyMap<string, ModelRuns>

interface CachedHistory {
  history: History
  readAt: number
  refreshing: boolean
}

const maxAgeMs = 30_000
const caches = new WeakMap<object, CachedHistory>()

/**
 * Every model's sums, kept per isolate: older than 30 s they are still used at once and refreshed beside the request, so that a
 * warm price costs no call. Throws `DatabaseUnavailable` only when nothing was ever read.
 */
export async function modelHistory(deps: RequestDeps): Promise<History> {
  const cached = caches.get(deps.upstreams)
  if (cached === undefined) return refresh(deps)
  if (deps.now().getTime() - cached.readAt > maxAgeMs && !cached.refreshing) {
    cached.refreshing = true
    deps.waitUntil(
      refresh(deps).catch((cause: unknown) => {
        cached.refreshing = false
        // An outage is a warning: the calls that fail report it. Anything else is a bug.
        const level = cause instanceof DatabaseUnavailable ? 'warn' : 'error'
        deps.log[level]('history.refresh_failed', { cause: describeError(cause) })
      }),
    )
  }
  return cached.history
}

async function refresh(deps: RequestDeps): Promise<History> {
  const history = await readModelSums(deps.database)
  caches.set(deps.upstreams, { history, readAt: deps.now().getTime(), refreshing: false })
  return history
}

/** After a run was recorded: the next price in this isolate reads the sums again. */
export function forgetHistory(deps: Pick<RequestDeps, 'upstreams'>): void {
  caches.delete(deps.upstreams)
}
