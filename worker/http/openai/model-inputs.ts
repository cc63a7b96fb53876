import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { findModel } from '../../domain/models/catalogue.ts'
import type { Model, Task } from '../../domain/models/model.ts'
import { AppError } from '../../errors.ts'

/** The names of a model's input for each OpenAI member. */
const INPUT_NAMES = {
  count: ['num_outputs'],
  aspect: ['aspect_ratio'],
  system: ['system_prompt'],
  tokens: ['max_tokens', 'max_completion_tokens'],
  temperature: ['temperature'],
  topP: ['top_p'],
  seed: ['seed'],
  frequencyPenalty: ['frequency_penalty'],
  presencePenalty: ['presence_penalty'],
  pictureFormat: ['output_format'],
  soundFormat: ['audio_format', 'output_format'],
  voice: ['voice', 'voice_id', 'history_prompt'],
  speed: ['speed'],
} as const
type Purpose = keyof typeof INPUT_NAMES

export interface ModelInput {
  name: string
  /** The values of a closed list; empty for other inputs. */
  values: readonly string[]
  minimum: number
  maximum: number
  /** The documented default; undefined where the model has none. */
  fallback: unknown
}

const inputSchemaSchema = once(() =>
  z.object({
    properties: z.record(
      z.string(),
      z.looseObject({
        enum: z.array(z.string()).optional(),
        minimum: z.number().optional(),
        maximum: z.number().optional(),
        default: z.unknown().optional(),
      }),
    ),
  }),
)

/** The model's own input for this purpose, or null. */
export function inputFor(model: Model, purpose: Purpose): ModelInput | null {
  const { properties } = inputSchemaSchema().parse(model.inputJsonSchema)
  for (const name of INPUT_NAMES[purpose]) {
    const property = properties[name]
    if (property === undefined) continue
    const { enum: values = [], minimum = -Infinity, maximum = Infinity, default: fallback } = property
    return { name, values, minimum, maximum, fallback }
  }
  return null
}

/** How many tokens a run was allowed to write; null for a model without such a bound. */
export function tokenLimitOf(input: Record<string, unknown>): number | null {
  const limit = INPUT_NAMES.tokens.map((name) => input[name]).find((value) => value !== undefined)
  return typeof limit === 'number' ? limit : null
}

/** A number that a caller asks for, by the name of its member. */
interface NumberRequest {
  member: string
  purpose: Purpose
  value: number | null | undefined
  /** The value that asks for nothing. */
  neutral?: number
  /** True if a value above the model's bound is lowered to it, as for an upper limit. */
  isLimit?: boolean
  /** The message where the model has no such input. */
  refusal: string
}

/**
 * The model's input that does what is asked; nothing where that is neutral or the model's documented default. Throws
 * `invalid_request` naming the member where the model cannot do it.
 */
export function numberInput(model: Model, request: NumberRequest): Record<string, number> {
  const { member, purpose, value, neutral, isLimit = false, refusal } = request
  if (value === null || value === undefined || value === neutral) return {}
  const input = inputFor(model, purpose)
  if (input === null) throw invalidMember(member, refusal)
  const { name, minimum, maximum, fallback } = input
  if (value === fallback) return {}
  if (value < minimum || (value > maximum && !isLimit)) throw invalidMember(member, rangeOf(input))
  return { [name]: Math.min(value, maximum) }
}

const rangeOf = ({ minimum, maximum }: ModelInput): string =>
  Number.isFinite(maximum) ? `This model takes ${minimum} to ${maximum}.` : `This model takes ${minimum} or more.`

/** A file format that a caller asks for, by the name of its member. */
interface FormatRequest {
  member: string
  purpose: Purpose
  value: string | null | undefined
  /** The value that clients send by default: a model without it answers in its own format, under its true type. */
  usual: string
}

/** The model's input that makes that format; nothing where the model makes it anyway. Throws `invalid_request`. */
export function formatInput(model: Model, { member, purpose, value, usual }: FormatRequest): Record<string, string> {
  if (value === null || value === undefined || value === model.format) return {}
  const input = inputFor(model, purpose)
  if (input?.values.includes(value)) return value === input.fallback ? {} : { [input.name]: value }
  if (value === usual) return {}
  const made = input?.values ?? (model.format === undefined ? [] : [model.format])
  throw invalidMember(
    member,
    made.length === 0 ? 'The format of this model cannot be chosen.' : `This model makes: ${made.join(', ')}.`,
  )
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
export const invalidMember = (param: string, message: string): AppError =>
  new AppError('invalid_request', { detail: message, errors: [{ path: param, message }] })
