import { TASKS } from '../../src/tasks.ts'
import type { FreeCalls } from '../free-tools.ts'
import { type Answer, type ApiCalls, ApiProblem } from './api.ts'
import { defaultId, type PublicModels, priceSchema, readModels } from './models.ts'

/** The context of a tool's call, beside its arguments. */
export interface HttpCall {
  free: FreeCalls
  api: ApiCalls
  models: PublicModels
  /** `params._meta` of the request. */
  meta: Record<string, unknown> | undefined
}

function bodyOf(answer: Answer): Record<string, unknown> {
  if (answer.status === 200) return answer.body
  throw new ApiProblem(answer)
}

/** The free tools' calls, by the API. Each throws `ApiProblem` where the API refuses. */
export const freeCalls = (api: ApiCalls, models: PublicModels): FreeCalls => ({
  models: () => readModels(api),
  choose: async ({ task, model }) => {
    const all = await models(api)
    const id = model ?? defaultId(all, task ?? TASKS.image)
    return { id, task: task ?? all.find((one) => one.id === id)?.task ?? TASKS.image }
  },
  price: async ({ id, task }) =>
    priceSchema.parse(bodyOf(await api.post('/mcp/inference/estimate', { task, model: id }))),
  maxUsdc: undefined,
  purchase: async ({ id, key }) =>
    bodyOf(await api.get(`/mcp/inference/${id}${key === undefined ? '' : `?key=${key}`}`)),
  service: async () => bodyOf(await api.get('/.well-known/coinslot.json')),
})
