import { recordModelCheck } from '../../db/queries/models.ts'
import type { RequestDeps } from '../context.ts'
import { describeError } from '../lib/log.ts'
import { catalogue } from './catalogue.ts'
import { type History, lastHistory, rereadHistory } from './history.ts'
import { inputFaults } from './input-fit.ts'
import type { Model } from './model.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Whether a model may be sold: the provider had it at the last check, or was not asked yet. A provider that has none of the
 * catalogue does not answer this question at all, so it takes nothing off sale. What was found is in the database and comes with
 * the prices, in the same query. Throws `DatabaseUnavailable` when this isolate never read it.
 */
export async function isAvailable(deps: RequestDeps, { id }: Model): Promise<boolean> {
  const history = await lastHistory(deps)
  const isGone = history.get(id)?.check?.isThere === false
  return !isGone || !catalogue.some((other) => history.get(other.id)?.check?.isThere === true)
}

/** When each isolate may look again which checks are due. */
const nextLook = new WeakMap<object, number>()

/**
 * Asks the provider for each model that was not checked within a day: whether it is there, and whether its inputs are still those
 * that we send. The scheduled job calls it; an isolate looks once an hour whether a check is due, so that a run with nothing to do makes no call.
 * Never throws; without an answer the last one counts.
 */
export async function checkModels(deps: RequestDeps): Promise<void> {
  const now = deps.now().getTime()
  if (now < (nextLook.get(deps.upstreams) ?? 0)) return
  try {
    const history = await rereadHistory(deps)
    const due = catalogue.filter(({ id }) => now - checkedAt(history, id) >= DAY_MS)
    for (const model of due) await checkModel(deps, model)
    if (due.length > 0) await rereadHistory(deps)
    nextLook.set(deps.upstreams, now + HOUR_MS)
  } catch (cause) {
    deps.log.warn('model.check_failed', { cause: describeError(cause) })
  }
}

const checkedAt = (history: History, id: string): number => history.get(id)?.check?.checkedAt.getTime() ?? -DAY_MS

async function checkModel(deps: RequestDeps, model: Model): Promise<void> {
  const schemas = await deps.provider.readModel(model.providerModel)
  await recordModelCheck(deps.database, { model: model.id, isThere: schemas !== null, now: deps.now() })
  if (schemas === null) return deps.log.error('model.missing', { model: model.id })
  const faults = inputFaults(model.inputJsonSchema, schemas)
  if (faults.length > 0) deps.log.error('model.input_mismatch', { model: model.id, faults })
}
