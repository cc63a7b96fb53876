import type { Answer, Operation } from './operation.ts'
import { DATABASE, PROOF, PURCHASE } from './purchase-operation.ts'

const OPENAI = { tag: 'OpenAI', openaiErrors: true } as const
const OPENAI_PURCHASE = {
  ...OPENAI,
  ...PURCHASE,
  description:
    'The same purchase as `POST /api/inference`: a payment brings the same result through either. Members that are not here are ignored.',
} as const

const openaiAnswer = (more: Omit<Answer, 'description' | 'headers'>): Record<number, Answer> => ({
  200: { description: 'OK', headers: ['Payment-Response'], ...more },
})

/** The calls in the form of OpenAI. */
export const openaiOperations: Record<string, Operation> = {
  'get /v1/models': {
    ...OPENAI,
    summary: 'The models that are sold, as OpenAI lists them',
    answers: { 200: { description: 'OK', schema: 'OpenaiModelList' } },
    problems: [...PROOF, DATABASE],
  },
  'get /v1/models/{id}': {
    ...OPENAI,
    summary: 'One model that is sold, by its id, with a slash or `%2F`',
    answers: { 200: { description: 'OK', schema: 'OpenaiModel' } },
    problems: [...PROOF, 'model_not_found', DATABASE],
  },
  'post /v1/images/generations': {
    ...OPENAI_PURCHASE,
    summary: 'Buy pictures in the form of OpenAI',
    body: { schema: 'ImageGenerationRequest' },
    answers: openaiAnswer({ schema: 'OpenaiImages' }),
  },
  'post /v1/chat/completions': {
    ...OPENAI_PURCHASE,
    summary: 'Buy text in the form of OpenAI',
    body: { schema: 'ChatCompletionRequest' },
    answers: openaiAnswer({
      schema: 'ChatCompletion',
      others: { 'text/event-stream': 'With `stream`: lines of `ChatCompletionChunk`, then `[DONE]`.' },
    }),
  },
  'post /v1/responses': {
    ...OPENAI_PURCHASE,
    summary: 'Buy text in the newer form of OpenAI',
    body: { schema: 'ResponseRequest' },
    answers: openaiAnswer({
      schema: 'OpenaiResponse',
      others: {
        'text/event-stream': 'With `stream`: the events of OpenAI, from `response.created` to `response.completed`.',
      },
    }),
  },
  'post /v1/audio/speech': {
    ...OPENAI_PURCHASE,
    summary: 'Buy speech or music in the form of OpenAI',
    body: { schema: 'SpeechRequest' },
    answers: openaiAnswer({
      others: {
        'audio/mpeg': "The file. Its type is the model's.",
        'audio/wav': 'The file.',
        'audio/flac': 'The file.',
        'audio/ogg': 'The file.',
        'audio/mp4': 'The file.',
      },
    }),
  },
}

/** The one address of the MCP server, which stands beside the API. */
export const mcpOperations: Record<string, Operation> = {
  'post /mcp': {
    tag: 'MCP',
    summary: 'One message of the Model Context Protocol (streamable HTTP)',
    description:
      'Its tools list models and prices, and buy. A paid tool answers with the price until it is called with a payment.',
    isPaid: true,
    body: { description: 'One message of JSON-RPC 2.0.' },
    answers: {
      200: {
        description: 'The answer to a request',
        others: { 'application/json': 'A message of JSON-RPC 2.0.', 'text/event-stream': 'The same as an event.' },
      },
      202: { description: 'A notification was taken' },
    },
    problems: [],
  },
}
