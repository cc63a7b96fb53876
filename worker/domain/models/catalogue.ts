import { imageModels } from './image-models.ts'
import type { Model } from './model.ts'
import { soundModels } from './sound-models.ts'
import { textModels } from './text-models.ts'

/** Every model on sale, in the order to show; the first of each task is the one to try first, and free of a tier. */
export const catalogue: readonly Model[] = [...imageModels, ...textModels, ...soundModels]

// A Map, not an object: a model called `constructor` or `__proto__` is simply not there.
const byId = new Map(catalogue.map((model) => [model.id, model]))

/** The model of that id, or undefined. */
export function findModel(id: string): Model | undefined {
  return byId.get(id)
}

/** The inputs that hold a person's words, of all models. */
export const PROMPT_FIELDS: readonly string[] = [...new Set(catalogue.map(({ promptField }) => promptField))]

/** The person's words in an input, also of a model that is no longer on sale; null where the input has none. */
export function promptOf(model: string, input: Record<string, unknown>): string | null {
  const field = findModel(model)?.promptField ?? PROMPT_FIELDS.find((name) => name in input)
  const prompt = field === undefined ? null : input[field]
  return typeof prompt === 'string' ? prompt : null
}
