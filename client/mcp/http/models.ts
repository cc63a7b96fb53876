import * as z from 'zod'
import { defaultModel, promptField } from '../../src/tasks.ts'
import type { InferenceRequest, Task } from '../../src/types.ts'
import { type Answer, type ApiCalls, ApiProblem } from './api.ts'

const modelsSchema = z.object({
  models: z.array(
    z.looseObject({
      id: z.string(),
      task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
      locked: z.boolean(),
      available: z.boolean(),
      inputSchema: z.unknown(),
      estimatedCostUsdc: z.string(),
    }),
  ),
})
export type ListedModel = z.infer<typeof modelsSchema>['models'][number]

/** The answer of an estimate. */
export const priceSchema = z.looseObject({ estimatedCostUsdc: z.string() })

const PATH = '/mcp/models'
const KEPT_MS = 60_000

/** The models as the caller sees them. Throws `ApiProblem`. */
export const readModels = async (api: ApiCalls): Promise<ListedModel[]> => modelsIn(await api.get(PATH))

function modelsIn(answer: Answer): ListedModel[] {
  if (answer.status !== 200) throw new ApiProblem(answer)
  return modelsSchema.parse(answer.body).models
}

/** The models as anyone sees them, read at most once a minute: what a call buys must not depend on who makes it. */
export type PublicModels = (api: ApiCalls) => Promise<ListedModel[]>

export function makePublicModels(now: () => number = Date.now): PublicModels {
  let kept: { models: ListedModel[]; until: number } | null = null
  return async (api) => {
    if (kept !== null && now() < kept.until) return kept.models
    const models = modelsIn(await api.getPublic(PATH))
    kept = { models, until: now() + KEPT_MS }
    return models
  }
}

/** The default model of a task: the first that is open to anyone and available. */
export function defaultId(models: readonly ListedModel[], task: Task): string {
  const available = models.filter((one) => one.available)
  return (defaultModel(available, task) ?? defaultModel(models, task))?.id ?? ''
}

/** The request of a purchase. The API refuses unknown models, and models of another task. */
export function requestFor(
  models: readonly ListedModel[],
  { task, model, prompt }: { task: Task; model: string; prompt: string },
  furtherInput: Record<string, unknown>,
): InferenceRequest {
  const found = models.find(({ id }) => id === model)
  const field = found === undefined ? 'prompt' : promptField(found)
  return { task, model, input: { ...furtherInput, [field]: prompt } }
}
