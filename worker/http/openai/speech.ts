import type { Model } from '../../domain/models/model.ts'
import type { SpeechBody } from '../openapi/openai-requests.ts'
import { formatInput, inputFor, invalidMember, numberInput, purchaseRequest } from './model-inputs.ts'

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
