import type { RequestDeps } from '../../domain/deps.ts'
import { whyUnavailable } from '../../domain/models/availability.ts'
import { catalogue, findModel } from '../../domain/models/catalogue.ts'
import type { Model } from '../../domain/models/model.ts'
import { AppError } from '../../errors.ts'

/** A model as OpenAI's clients list it. */
const present = ({ id, publishedOn }: Model) => ({
  id,
  object: 'model' as const,
  created: Date.parse(publishedOn) / 1000,
  owned_by: id.split('/')[0] ?? '',
})

/** The models that are sold now. */
export async function listModels(deps: RequestDeps) {
  const reasons = await Promise.all(catalogue.map((model) => whyUnavailable(deps, model)))
  const data = catalogue.filter((_, index) => reasons[index] === null).map(present)
  return { object: 'list' as const, data }
}

/** One model that is sold now, by the rest of its path: its id, whose slash may be encoded. Throws `model_not_found`. */
export async function readModel(deps: RequestDeps, path: string) {
  const model = findModel(path.replaceAll(/%2f/gi, '/'))
  if (model !== undefined && (await whyUnavailable(deps, model)) === null) return present(model)
  throw new AppError('model_not_found', { detail: 'GET /v1/models lists what can be run.' })
}
