import * as z from 'zod'
import { once } from '../../db/once.ts'
import type { Model } from '../models/model.ts'
import { cannot, inputFor, purchaseRequest } from './model-inputs.ts'

export const imageBody = once(() =>
  z.object({
    model: z.string(),
    prompt: z.string(),
    n: z.int().min(1).nullish(),
    size: z.string().nullish(),
    response_format: z.enum(['url', 'b64_json']).nullish(),
    stream: z.literal(false, 'Pictures are not streamed').nullish(),
  }),
)
type ImageBody = z.output<ReturnType<typeof imageBody>>

/** The purchase that a body of `POST /v1/images/generations` asks for. Throws `invalid_request`. */
export const imageRequest = ({ model: id, prompt, n, size }: ImageBody) =>
  purchaseRequest('text-to-image', id, prompt, (model) => ({
    ...countOf(model, n ?? null),
    ...shapeOf(model, size ?? 'auto'),
  }))

function countOf(model: Model, n: number | null): Record<string, number> {
  if (n === null) return {}
  const input = inputFor(model, 'count')
  if (input !== null) return { [input.name]: n }
  if (n > 1) throw cannot('n', 'This model makes one picture per call.')
  return {}
}

/** A size whose shape differs more than this from every shape of the model is refused. */
const MAX_STRETCH = 1.5

function shapeOf(model: Model, size: string): Record<string, string> {
  if (size === 'auto') return {}
  const ratio = ratioOf(size, 'x')
  if (ratio === null) throw cannot('size', 'Send a size like `1024x1024`, or `auto`.')
  const input = inputFor(model, 'aspect')
  if (input === null) throw cannot('size', 'This model has no choice of sizes.')
  const [nearest] = input.values
    .map((value) => ({ value, stretch: stretchOf(ratioOf(value, ':') ?? 0, ratio) }))
    .sort((one, other) => one.stretch - other.stretch)
  if (nearest === undefined || nearest.stretch > MAX_STRETCH) {
    throw cannot('size', `This model makes pictures of these shapes: ${input.values.join(', ')}.`)
  }
  return { [input.name]: nearest.value }
}

/** Width by height, as in `1024x768` or `4:3`; null for anything else. */
function ratioOf(text: string, separator: 'x' | ':'): number | null {
  const [width = '', height = '', ...more] = text.split(separator)
  const isNumber = (part: string): boolean => /^[1-9]\d{0,4}$/.test(part)
  return isNumber(width) && isNumber(height) && more.length === 0 ? Number(width) / Number(height) : null
}

/** How many times wider or narrower one shape is than another; 1 for the same shape. */
const stretchOf = (one: number, other: number): number => Math.max(one / other, other / one)
