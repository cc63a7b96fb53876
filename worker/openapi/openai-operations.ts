import type { Answer, Operation } from './operation.ts'
import { DATABASE, PROOF, PURCHASE } from './purchase-operation.ts'

const OPENAI = { tag: 'OpenAI', openaiErrors: true } as const
const OPENAI_PURCHASE = {
  ...OPENAI,
  ...PURCHASE,
  description: 'The same purchase as `POST /api/inference`: a payment brings the same result through either.',
} as const

const openaiAnswer = (type: string, text: string, more: Record<string, string> = {}): Record<number, Answer> => ({
  200: { description: 'OK', headers: ['Payment-Response'], others: { [type]: text, ...more } },
})

/** The calls in the form of OpenAI. */
export const openaiOperations: Record<string, Operation> = {
  'get /v1/models': {
    ...OPENAI,
    summary: 'The models, as OpenAI lists them',
    answers: openaiAnswer('application/json', 'A list of models.'),
    problems: [...PROOF, DATABASE],
  },
  'post /v1/images/generations': {
    ...OPENAI_PURCHASE,
    summary: 'Buy pictures in the form of OpenAI',
    body: { description: '`model`, `prompt`, `n`, `size`, `response_format`.' },
    answers: openaiAnswer('application/json', '`created`, `data`, and the metrics of the purchase.'),
  },
  'post /v1/chat/completions': {
    ...OPENAI_PURCHASE,
    summary: 'Buy text in the form of OpenAI',
    body: { description: '`model`, `messages`, `stream`, `max_tokens`, `temperature`.' },
    answers: openaiAnswer('application/json', 'A chat completion, and the metrics of the purchase.', {
      'text/event-stream': 'With `stream`: chunks, then `[DONE]`.',
    }),
  },
  'post /v1/audio/speech': {
    ...OPENAI_PURCHASE,
    summary: 'Buy speech or music in the form of OpenAI',
    body: { description: '`model`, `input`, `voice`, `speed`.' },
    answers: openaiAnswer('audio/mpeg', "The file. Its type is the model's.", {
      'audio/wav': 'The file.',
      'audio/flac': 'The file.',
      'audio/ogg': 'The file.',
      'audio/mp4': 'The file.',
    }),
  },
}
