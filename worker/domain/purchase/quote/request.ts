import * as z from 'zod'
import { once } from '../../../../db/once.ts'
import type { FieldError } from '../../../../protocol/problems.ts'
import { AppError, fieldErrors } from '../../../errors.ts'
import { findModel } from '../../models/catalogue.ts'
import type { Model } from '../../models/model.ts'

const bodySchema = once(() =>
  z.strictObject({
    task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
    model: z.string().min(1).max(200),
    input: z.record(z.string(), z.unknown()),
  }),
)
export const estimateSchema = once(() => bodySchema().extend({ input: bodySchema().shape.input.optional() }))

/** A request that may be sold: the model and its input with defaults applied. */
export interface InferenceRequest {
  task: Model['task']
  model: Model
  input: Record<string, unknown>
}

/**
 * Checks the body of `POST /api/inference` against the catalogue.
 * Throws `AppError` `invalid_request` (each fault with its path) or `model_not_found`.
 */
export function parseInferenceRequest(body: unknown): InferenceRequest {
  const { task, model: id } = parse(bodySchema(), body)
  const model = modelFor(task, id)
  return { task, model, input: parseInput(model, body) }
}

/** As `parseInferenceRequest`, for an estimate: the input may be left out. Returns the model. */
export function parseEstimateRequest(body: unknown): Model {
  const { task, model: id, input } = parse(estimateSchema(), body)
  const model = modelFor(task, id)
  if (input !== undefined) parseInput(model, body)
  return model
}

/** The input as it was sent: a record of zod's leaves `__proto__` out, which the model's own schema refuses. */
const inputOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'input' in body ? body.input : undefined

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The input as the model takes it. Every model takes its text as `prompt` too, whatever its own name for it. */
function parseInput({ inputSchema, promptField }: Model, body: unknown): Record<string, unknown> {
  const input = inputOf(body)
  if (!isRecord(input) || !('prompt' in input) || promptField in input) return parse(inputSchema, input, 'input')
  const { prompt, ...more } = input
  const parsed = inputSchema.safeParse({ ...more, [promptField]: prompt })
  if (parsed.success) return parsed.data
  const own = `input.${promptField}`
  throw invalid(
    fieldErrors(parsed.error, ['input']).map(({ path, message }) => ({
      path: path === own ? 'input.prompt' : path,
      message,
    })),
  )
}

function modelFor(task: Model['task'], id: string): Model {
  const model = findModel(id)
  if (model === undefined) {
    throw new AppError('model_not_found', {
      detail: 'GET /api/models lists what can be run.',
      paymentState: 'unused',
      nextAction: 'fix_request',
    })
  }
  if (model.task !== task) throw invalid([{ path: 'task', message: `this model does ${model.task}` }])
  return model
}

function parse<T>(schema: z.ZodType<T>, value: unknown, prefix?: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(fieldErrors(parsed.error, prefix === undefined ? [] : [prefix]))
}

function invalid(errors: FieldError[]): AppError {
  return new AppError('invalid_request', {
    detail: 'Some members of the request are invalid.',
    errors,
    paymentState: 'unused',
    nextAction: 'fix_request',
  })
}
