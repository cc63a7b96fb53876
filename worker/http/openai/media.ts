import type { Model } from '../../domain/models/model.ts'
import type { ImageBody, SpeechBody } from '../openapi/openai-requests.ts'
import { formatInput, inputFor, invalidMember, numberInput, purchaseRequest } from './model-inputs.ts'

/** The purchase that a body of `POST /v1/images/generations` asks for. Throws `invalid_request`. */
export const imageRequest = ({ model: id, prompt, n, size, output_format }: ImageBody) =>
  purchaseRequest('text-to-image', id, prompt, (model) => ({
    ...numberInput(model, {
      member: 'n',
      purpose: 'count',
      value: n,
      neutral: 1,
      refusal: 'This model makes one picture per call.',
    }),
    ...shapeOf(model, size ?? 'auto'),
    ...formatInput(model, {
      member: 'output_format',
      purpose: 'pictureFormat',
      value: output_format === 'jpeg' ? 'jpg' : output_format,
      usual: 'webp',
    }),
  }))

/** A size whose shape differs more than this from every shape of the model is refused. */
const MAX_STRETCH = 1.5

function shapeOf(model: Model, size: string): Record<string, string> {
  if (size === 'auto') return {}
  const ratio = ratioOf(size, 'x')
  if (ratio === null) throw invalidMember('size', 'Send a size like `1024x1024`, or `auto`.')
  const input = inputFor(model, 'aspect')
  if (input === null) throw invalidMember('size', 'This model has no choice of sizes.')
  const [nearest] = input.values
    .map((value) => ({ value, stretch: stretchOf(ratioOf(value, ':') ?? 0, ratio) }))
    .sort((one, other) => one.stretch - other.stretch)
  if (nearest === undefined || nearest.stretch > MAX_STRETCH) {
    throw invalidMember('size', `This model makes pictures of these shapes: ${input.values.join(', ')}.`)
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

/** OpenAI's own voices. Its clients must name one, so these mean the model's default voice. */
const OPENAI_VOICES = /^(alloy|ash|ballad|cedar|coral|echo|fable|marin|nova|onyx|sage|shimmer|verse)$/

/** The purchase that a body of `POST /v1/audio/speech` asks for. Throws `invalid_request`. */
export const speechRequest = ({ model: id, input, voice, speed, response_format }: SpeechBody) =>
  purchaseRequest('text-to-sound', id, input, (model) => ({
    ...voiceOf(model, typeof voice === 'object' && voice !== null ? voice.id : (voice ?? null)),
    ...numberInput(model, {
      member: 'speed',
      purpose: 'speed',
      value: speed,
      neutral: 1,
      refusal: 'The speed of this model cannot be set.',
    }),
    ...formatInput(model, {
      member: 'response_format',
      purpose: 'soundFormat',
      value: response_format,
      usual: 'mp3',
    }),
  }))

function voiceOf(model: Model, voice: string | null): Record<string, string> {
  if (voice === null || voice === '' || OPENAI_VOICES.test(voice)) return {}
  const input = inputFor(model, 'voice')
  if (input === null) throw invalidMember('voice', 'This model has no choice of voices.')
  return { [input.name]: voice }
}
