import { catalogue } from '../../models/catalogue.ts'
import type { Model } from '../../models/model.ts'

/** The body that buys a model's first example; the quote for a call without a body is for it. */
export function exampleBody(model: Model | undefined = catalogue[0]) {
  if (model === undefined) throw new Error('the catalogue is empty')
  return { task: model.task, model: model.id, input: model.examples[0] ?? {} }
}

const EXAMPLE_OUTPUTS = {
  image: { type: 'image', urls: ['https://cdn.example/i/1.webp'] },
  audio: { type: 'audio', urls: ['https://cdn.example/i/1.wav'] },
  text: { type: 'text', text: 'A lighthouse is a tower with a light.' },
} as const

/** How a call is sent, and what it answers. */
interface Form {
  body: Record<string, unknown>
  answer: Record<string, unknown>
}

const promptOf = (model: Model): unknown => model.examples[0]?.[model.promptField]

/** The forms of the calls that buy, by their path. */
const FORMS: Readonly<Record<string, (model: Model) => Form>> = {
  '/api/inference': (model) => ({
    body: exampleBody(model),
    answer: {
      id: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10',
      status: 'succeeded',
      output: EXAMPLE_OUTPUTS[model.outputType],
    },
  }),
  '/v1/images/generations': (model) => ({
    body: { model: model.id, prompt: promptOf(model) },
    answer: { created: 1_735_689_600, data: EXAMPLE_OUTPUTS.image.urls.map((url) => ({ url })) },
  }),
  '/v1/chat/completions': (model) => ({
    body: { model: model.id, messages: [{ role: 'user', content: promptOf(model) }] },
    answer: { choices: [{ index: 0, message: { role: 'assistant', content: EXAMPLE_OUTPUTS.text.text } }] },
  }),
  '/v1/responses': (model) => ({
    body: { model: model.id, input: promptOf(model) },
    answer: {
      object: 'response',
      output: [{ type: 'message', content: [{ type: 'output_text', text: EXAMPLE_OUTPUTS.text.text }] }],
    },
  }),
  '/v1/audio/speech': (model) => ({ body: { model: model.id, input: promptOf(model) }, answer: {} }),
}

const infoOf = ({ body, answer }: Form) => ({
  input: { type: 'http', method: 'POST', bodyType: 'json', body },
  output: { type: 'json', example: answer },
})

/** How a model is called and what it answers, for catalogues of paid services. Source: x402 specification, extension bazaar. */
export const bazaarInfo = (model: Model) =>
  infoOf({ body: exampleBody(model), answer: FORMS['/api/inference']?.(model).answer ?? {} })

/** The extension for a call at this path, with an example in its form; empty where nothing is described. */
export function bazaarExtension(model: Model, path: string): { bazaar?: { info: object; schema: object } } {
  const form = Object.hasOwn(FORMS, path) ? FORMS[path]?.(model) : undefined
  return form === undefined ? {} : { bazaar: { info: infoOf(form), schema: schemaOf(form) } }
}

/** As small as catalogues' validators take it: it is part of a header. The whole form of a body is in the OpenAPI document. */
const schemaOf = ({ body }: Form) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    input: {
      type: 'object',
      properties: {
        type: { const: 'http' },
        method: { enum: ['POST'] },
        bodyType: { enum: ['json'] },
        body: { type: 'object', required: Object.keys(body) },
      },
      required: ['type', 'method', 'bodyType', 'body'],
    },
    output: {
      type: 'object',
      properties: { type: { type: 'string' }, example: { type: 'object' } },
      required: ['type'],
    },
  },
  required: ['input'],
})
