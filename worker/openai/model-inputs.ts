import * as z from 'zod'
import { once } from '../../db/once.ts'
import { AppError } from '../errors.ts'
import { findModel } from '../models/catalogue.ts'
import type { Model, Task } from '../models/model.ts'

/** What an OpenAI member sets, and the names that models have for it. */
const INPUT_NAMES = {
  count: ['num_outputs'],
  aspect: ['aspect_ratio'],
  system: ['system_prompt'],
  tokens: ['max_tokens', 'max_completion_tokens'],
  temperature: ['temperature'],
  voice: ['voice', 'voice_id', 'history_prompt'],
  speed: ['speed'],
} as const

export interface ModelInput {
  name: string
  /** The values of a closed list; empty for other inputs. */
  values: readonly string[]
}

const inputSchemaSchema = once(() =>
  z.object({ properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })) }),
)

/** The model's own input for this purpose, or null. */
export function inputFor(model: Model, purpose: keyof typeof INPUT_NAMES): ModelInput | null {
  const { properties } = inputSchemaSchema().parse(model.inputJsonSchema)
  for (const name of INPUT_NAMES[purpose]) {
    const property = properties[name]
    if (property !== undefined) return { name, values: property.enum ?? [] }
  }
  return null
}

/**
 * The request of a purchase. `more` returns the inputs beside the prompt. Unknown models and models of another task keep the
 * bare prompt: the purchase refuses them as it does at its other endpoints.
 */
export function purchaseRequest(
  task: Task,
  id: string,
  prompt: string,
  more: (model: Model) => Record<string, unknown>,
) {
  const model = findModel(id)
  if (model === undefined || model.task !== task) return { task, model: id, input: { prompt } }
  return { task, model: id, input: { [model.promptField]: prompt, ...more(model) } }
}

/** `invalid_request` about one member of the body. */
export const cannot = (param: string, message: string): AppError =>
  new AppError('invalid_request', { detail: message, errors: [{ path: param, message }] })
