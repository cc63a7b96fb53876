import type { RequestDeps } from '../context.ts'
import { describeError } from '../lib/log.ts'
import { catalogue } from './catalogue.ts'
import type { Model } from './model.ts'

const DAY_MS = 86_400_000

interface Checked {
  /** Models that the provider did not have at the last look. */
  missing: Set<string>
  checkedAt: Map<string, number>
}

/** Per isolate: values only. */
const checked = new WeakMap<object, Checked>()

/** Whether a model may be sold: the provider had it at the last look, or was not asked yet. */
export const isAvailable = ({ upstreams }: Pick<RequestDeps, 'upstreams'>, { id }: Model): boolean =>
  !(checked.get(upstreams)?.missing.has(id) ?? false)

/**
 * Asks the provider for one model that was not asked for within a day. The scheduled job calls it, so that the whole catalogue is
 * looked at within some minutes and once a day. Never throws; without an answer the last one counts.
 */
export async function checkOneModel(deps: RequestDeps): Promise<void> {
  const known = checked.get(deps.upstreams) ?? { missing: new Set(), checkedAt: new Map() }
  checked.set(deps.upstreams, known)
  const now = deps.now().getTime()
  const model = catalogue.find(({ id }) => now - (known.checkedAt.get(id) ?? -DAY_MS) >= DAY_MS)
  if (model === undefined) return
  known.checkedAt.set(model.id, now)
  try {
    if (await deps.provider.hasModel(model.id)) known.missing.delete(model.id)
    else {
      known.missing.add(model.id)
      deps.log.error('model.missing', { model: model.id })
    }
  } catch (cause) {
    deps.log.warn('model.check_failed', { model: model.id, cause: describeError(cause) })
  }
}
