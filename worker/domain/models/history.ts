import { DatabaseUnavailable } from '../../../db/client.ts'
import { type KnownModel, readModels } from '../../../db/queries/models.ts'
import { describeError } from '../../lib/log.ts'
import type { RequestDeps } from '../deps.ts'

/** Sum and count of a model's succeeded, timed runs. */
export type ModelRuns = Pick<KnownModel, 'sumMs' | 'count'>
export type History = ReadonlyMap<string, KnownModel>

interface CachedHistory {
  history: History
  readAt: number
  refreshing: boolean
  /** A run was recorded since: no price is worked out from it any more. */
  isOutdated: boolean
}

const maxAgeMs = 30_000
const caches = new WeakMap<object, CachedHistory>()

/**
 * The history of every model, kept per isolate: older than 30 s it is still used at once and refreshed beside the request, so
 * that a warm price costs no call. Throws `DatabaseUnavailable` only when nothing was ever read, or a run was recorded since.
 */
export async function modelHistory(deps: RequestDeps): Promise<History> {
  const cached = caches.get(deps.upstreams)
  if (cached === undefined || cached.isOutdated) return rereadHistory(deps)
  refreshBeside(deps, cached)
  return cached.history
}

/** The same for what no run changes: also after a run was recorded, it waits for the database only when nothing was ever read. */
export async function lastHistory(deps: RequestDeps): Promise<History> {
  const cached = caches.get(deps.upstreams)
  if (cached === undefined) return rereadHistory(deps)
  refreshBeside(deps, cached)
  return cached.history
}

function refreshBeside(deps: RequestDeps, cached: CachedHistory): void {
  if (deps.now().getTime() - cached.readAt <= maxAgeMs || cached.refreshing) return
  cached.refreshing = true
  deps.waitUntil(
    rereadHistory(deps).catch((cause: unknown) => {
      cached.refreshing = false
      // An outage is a warning: the calls that fail report it. Anything else is a bug.
      const level = cause instanceof DatabaseUnavailable ? 'warn' : 'error'
      deps.log[level]('history.refresh_failed', { cause: describeError(cause) })
    }),
  )
}

/** Reads it now, for this isolate's next callers too. */
export async function rereadHistory(deps: RequestDeps): Promise<History> {
  const history = await readModels(deps.database)
  caches.set(deps.upstreams, { history, readAt: deps.now().getTime(), refreshing: false, isOutdated: false })
  return history
}

/** After a run was recorded: the next price in this isolate reads the sums again. */
export function forgetHistory(deps: Pick<RequestDeps, 'upstreams'>): void {
  const cached = caches.get(deps.upstreams)
  if (cached !== undefined) cached.isOutdated = true
}
