import { PAYMENT_IDENTIFIER } from '../../../x402/headers.ts'
import { authHints, makeChallenge, SIGN_IN_WITH_X, type SignInChallenge } from '../../auth/challenge.ts'
import type { RequestDeps } from '../../deps.ts'
import { catalogue } from '../../models/catalogue.ts'
import type { Model } from '../../models/model.ts'

/** Where a request came in: the configured origin and the path, e.g. `/api/inference`. A challenge is bound to both. */
export interface Endpoint {
  origin: string
  path: string
}

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

/** How a model is called and what it answers, for catalogues of paid services. Source: x402 specification, extension bazaar. */
export const bazaarInfo = (model: Model) => ({
  input: { type: 'http', method: 'POST', bodyType: 'json', body: exampleBody(model) },
  output: {
    type: 'json',
    example: {
      id: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10',
      status: 'succeeded',
      output: EXAMPLE_OUTPUTS[model.outputType],
    },
  },
})

const bazaar = (model: Model) => ({ info: bazaarInfo(model), schema: BAZAAR_SCHEMA })

/** As small as catalogues' validators take it: it is part of a header. The whole form of a body is in the OpenAPI document. */
const BAZAAR_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    input: {
      type: 'object',
      properties: {
        type: { const: 'http' },
        method: { enum: ['POST'] },
        bodyType: { enum: ['json'] },
        body: { type: 'object', required: ['task', 'model', 'input'] },
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
}

/** The sign-in challenge alone, for a call that costs nothing. */
export const signInExtension = (deps: RequestDeps, endpoint: Endpoint, nonce?: string) => ({
  [SIGN_IN_WITH_X]: makeChallenge(deps.config, {
    ...endpoint,
    now: deps.now(),
    ...(nonce !== undefined && { nonce }),
  }),
})

/** The part of a 402, beside its quote, for a caller that is not signed in: how to sign in, and what the call does. */
export const signedOutExtensions = (challenge: SignInChallenge, model: Model, endpoint: Endpoint, entries: number) => ({
  [SIGN_IN_WITH_X]: challenge,
  'auth-hints': authHints(entries),
  [PAYMENT_IDENTIFIER]: { info: { required: false }, schema: {} },
  // The example is in the form of this endpoint.
  ...(endpoint.path === '/api/inference' && { bazaar: bazaar(model) }),
})
