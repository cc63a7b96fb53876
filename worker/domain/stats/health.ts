import { ping } from '../../../db/queries/metrics.ts'
import { withDeadline } from '../../lib/http.ts'
import { describeError } from '../../lib/log.ts'
import { ProviderError } from '../../upstreams/provider/provider.ts'
import type { RequestDeps } from '../deps.ts'

export interface Health {
  status: 'ok' | 'degraded'
  db: 'ok' | 'error'
  /** Object storage. */
  r2: 'ok' | 'error'
  /** The model provider. */
  replicate: 'ok' | 'error'
  timestamp: string
}

const CHECK_MS = 2_000
const SHARED_MS = 5_000

interface Shared {
  health: Health
  checkedAt: number
  /** A caller checks again until then; the others use this result, so that a flood of calls makes one check. */
  refreshingUntil: number
}

/** Per isolate: values only. */
const shared = new WeakMap<object, Shared>()

async function check(deps: RequestDeps, part: string, ask: () => Promise<unknown>): Promise<'ok' | 'error'> {
  try {
    await withDeadline(CHECK_MS, ask)
    return 'ok'
  } catch (cause) {
    deps.log.warn('health.check_failed', { part, cause: describeError(cause) })
    return 'error'
  }
}

/** A provider that answers 429 works: the worker reads too often, so sales need not stop. */
function acceptThrottling(error: unknown): void {
  if (!(error instanceof ProviderError) || !error.throttledRead) throw error
}

async function checkAll(deps: RequestDeps): Promise<Health> {
  const [db, r2, replicate] = await Promise.all([
    check(deps, 'db', () => ping(deps.database)),
    check(deps, 'r2', () => deps.store.check()),
    check(deps, 'replicate', () => deps.provider.check().catch(acceptThrottling)),
  ])
  const now = deps.now()
  deps.upstreams.recordCheck('store', r2 === 'ok', now)
  deps.upstreams.recordCheck('provider', replicate === 'ok', now)
  const isOk = [db, r2, replicate].every((part) => part === 'ok')
  return { status: isOk ? 'ok' : 'degraded', db, r2, replicate, timestamp: now.toISOString() }
}

/**
 * Checks that database, object storage and model provider answer, each within 2 s; shared for 5 s per isolate. A failure here also
 * stops sales for half a minute (`upstreams`).
 */
export async function checkHealth(deps: RequestDeps): Promise<Health> {
  const known = shared.get(deps.upstreams)
  const now = deps.now().getTime()
  if (known !== undefined) {
    if (now - known.checkedAt < SHARED_MS || now < known.refreshingUntil) return known.health
    known.refreshingUntil = now + CHECK_MS
  }
  const health = await checkAll(deps)
  shared.set(deps.upstreams, { health, checkedAt: deps.now().getTime(), refreshingUntil: 0 })
  return health
}
