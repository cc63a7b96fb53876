import { recordModelCheck } from '../../../db/queries/models.ts'
import { describeError } from '../../lib/log.ts'
import type { RequestDeps } from '../deps.ts'
import { catalogue } from './catalogue.ts'
import { type History, lastHistory, rereadHistory } from './history.ts'
import { inputMismatch } from './input-fit.ts'
import type { Model } from './model.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Why a model is not sold: its maker retired it, the provider does not have it, or takes other inputs than we send. */
export type Unavailability = 'retired' | 'gone' | 'changed'

/**
 * Why a model may not be sold; null when it may. The provider's last answer counts, and a model it was not asked about yet is sold.
 * A provider that has none of the catalogue does not answer this question at all, so it takes nothing off sale. What was found
 * is in the database and comes with the prices, in the same query. Throws `DatabaseUnavailable` when this isolate never read it.
 */
export async function whyUnavailable(deps: RequestDeps, { id, deprecatedAt }: Model): Promise<Unavailability | null> {
  if (deprecatedAt !== undefined && deps.now() >= new Date(deprecatedAt)) return 'retired'
  const history = await lastHistory(deps)
  const check = history.get(id)?.check ?? null
  if (check === null) return null
  if (check.isThere) return check.fits ? null : 'changed'
  return catalogue.some((other) => history.get(other.id)?.check?.isThere === true) ? 'gone' : null
}

/** When each isolate may look again which checks are due. */
const nextLook = new WeakMap<object, number>()

/**
 * Asks the provider for each model that was not checked within a day, or within an hour if it is off sale: whether it is there, and
 * whether its inputs are still those that we send. The scheduled job calls it; an isolate looks once an hour whether a check is
 * due, so that a run with nothing to do makes no call. Never throws; without an answer the last one counts.
 */
export async function checkModels(deps: RequestDeps): Promise<void> {
  const now = deps.now().getTime()
  if (now < (nextLook.get(deps.upstreams) ?? 0)) return
  try {
    const history = await rereadHistory(deps)
    const due = catalogue.filter(({ id }) => isDue(history, id, now))
    for (const model of due) await checkModel(deps, model)
    if (due.length > 0) await rereadHistory(deps)
    nextLook.set(deps.upstreams, now + HOUR_MS)
  } catch (cause) {
    deps.log.warn('model.check_failed', { cause: describeError(cause) })
  }
}

function isDue(history: History, id: string, now: number): boolean {
  const check = history.get(id)?.check ?? null
  if (check === null) return true
  return now - check.checkedAt.getTime() >= (check.isThere && check.fits ? DAY_MS : HOUR_MS)
}

async function checkModel(deps: RequestDeps, model: Model): Promise<void> {
  const schemas = await deps.provider.readModel(model.providerModel)
  const { faults, runsFail } =
    schemas === null ? { faults: [], runsFail: false } : inputMismatch(model.inputJsonSchema, schemas)
  const found = { isThere: schemas !== null, fits: !runsFail }
  await recordModelCheck(deps.database, { model: model.id, ...found, now: deps.now() })
  if (schemas === null) return deps.log.error('model.missing', { model: model.id })
  if (faults.length > 0) deps.log.error('model.input_mismatch', { model: model.id, offSale: runsFail, faults })
}
