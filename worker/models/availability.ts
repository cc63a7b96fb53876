import type { RequestDeps } from '../context.ts'
import { describeError } from '../lib/log.ts'
import { catalogue } from './catalogue.ts'
import type { Model } from './model.ts'

const DAY_MS = 86_400_000

interface Checked {
  /** Models that the provider had, and those that it did not have, at the last check. */
  found: Set<string>
  missing: Set<string>
  checkedAt: Map<string, number>
}

/** Per isolate: values only. */
const checked = new WeakMap<object, Checked>()

/**
 * Whether a model may be sold: the provider had it at the last check, or was not asked yet. A provider that has none of the
 * catalogue does not answer this question at all, so it takes nothing off sale.
 */
export function isAvailable(deps: Pick<RequestDeps, 'upstreams'>, { id }: Model): boolean {
  const { found, missing } = knownOf(deps)
  return found.size === 0 || !missing.has(id)
}

/**
 * Asks the provider for one model that this isolate did not ask for within a day. The scheduled job calls it, so that the whole
 * catalogue is checked within some minutes and then once a day. Never throws; without an answer the last one counts.
 */
export async function checkOneModel(deps: RequestDeps): Promise<void> {
  const model = catalogue.find((candidate) => isDue(deps, candidate))
  if (model !== undefined) await checkModel(deps, model)
}

/** Has a model checked beside the call, in an isolate that the scheduled job never runs in. Costs one call a day and model. */
export function checkBeside(deps: RequestDeps, model: Model): void {
  if (isDue(deps, model)) deps.waitUntil(checkModel(deps, model))
}

function knownOf({ upstreams }: Pick<RequestDeps, 'upstreams'>): Checked {
  const known = checked.get(upstreams) ?? { found: new Set(), missing: new Set(), checkedAt: new Map() }
  checked.set(upstreams, known)
  return known
}

const isDue = (deps: RequestDeps, { id }: Model): boolean =>
  deps.now().getTime() - (knownOf(deps).checkedAt.get(id) ?? -DAY_MS) >= DAY_MS

async function checkModel(deps: RequestDeps, { id }: Model): Promise<void> {
  const known = knownOf(deps)
  known.checkedAt.set(id, deps.now().getTime())
  try {
    if (await deps.provider.hasModel(id)) {
      known.missing.delete(id)
      known.found.add(id)
      return
    }
    known.found.delete(id)
    known.missing.add(id)
    deps.log.error('model.missing', { model: id })
  } catch (cause) {
    deps.log.warn('model.check_failed', { model: id, cause: describeError(cause) })
    return
  }
  // Only beside a model that is there does it count that this one is not.
  if (known.found.size === 0) await checkOneModel(deps)
}
