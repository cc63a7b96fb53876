import * as z from 'zod'
import { formatAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import type { Config } from '../../config/config.ts'
import { estimateCostUsdc } from '../../domain/pricing/price.ts'
import { runDeadlineMs } from '../../domain/purchase/leases.ts'
import { estimateSchema } from '../../domain/purchase/quote/request.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'
import { INSTRUCTIONS } from './discovery.ts'
import { exampleRequest, modelRequests, reference } from './model-requests.ts'
import { chatBody, imageBody, responseBody, speechBody } from './openai-requests.ts'
import { type Operation, TAGS } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { shareBody, signInBody } from './requests.ts'
import { codesOf, headerComponents, problemExamples, responsesOf } from './responses.ts'
import { answers } from './schemas.ts'

type Json = Record<string, unknown>

const ABOUT = `Pay-per-use AI inference: ask, get the price as 402, sign in with a wallet (a session cookie, or SIGN-IN-WITH-X for one request), sign one USDC authorization (x402 version 2, EIP-3009), get the result.

Money is a decimal string: USDC has 6 decimals, AIC 18. Errors are problem documents (RFC 9457): \`code\` with its page \`/problems/<code>\`, \`paymentState\`, \`nextAction\`. An unknown path is 404 \`not_found\`, another method 405 \`method_not_allowed\` with \`Allow\`. Bodies are JSON of at most 64 KiB.`

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'Set by sign-in; `session` over http.',
  },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'The value of the CSRF cookie.' },
  proof: {
    type: 'apiKey',
    in: 'header',
    name: 'SIGN-IN-WITH-X',
    description:
      'A session for one request: the signed challenge of a 402, base64 of JSON (x402 extension sign-in-with-x).',
    'x-agentcash-auth-kind': 'siwx',
  },
}

/**
 * The OpenAPI 3.1 document of this API, from the tables and schemas that it runs on, with prices at the deployment's rate.
 * Its URLs are relative, except those of the documentation, which the format wants whole.
 */
export function openapiDocument({ ratePerSec, publicOrigins }: Pick<Config, 'ratePerSec' | 'publicOrigins'>): Json {
  const paths: Record<string, Json> = {}
  for (const [key, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = key.split(' ')
    paths[path] = { ...paths[path], [method]: operationOf(key, operation, ratePerSec) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coinslot',
      version: '1',
      summary: 'Pay-per-use AI inference',
      description: ABOUT,
      'x-guidance': INSTRUCTIONS,
      contact: { url: `${publicOrigins[0]}/docs` },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    externalDocs: { url: `${publicOrigins[0]}/docs`, description: 'How to buy, with examples that run' },
    paths,
    components: {
      schemas: { ...requestSchemas(), ...modelRequests(), ...answerSchemas() },
      headers: headerComponents(),
      examples: problemExamples(codesOf(Object.values(OPERATIONS))),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const texts = makeIsolateCache<string>()

/** The document of a deployment as JSON, built at the first call. */
export function openapiText(config: Config): string {
  const known = texts.get(config, '')
  if (known !== undefined) return known
  const text = JSON.stringify(openapiDocument(config))
  texts.set(config, '', text)
  return text
}

function operationOf(key: string, operation: Operation, ratePerSec: string): Json {
  const { summary, description, tag, needs, body, isPaid = false } = operation
  const parameters = parametersOf(key, operation)
  return {
    // `get /api/auth/nonce` is getAuthNonce.
    operationId: key
      .replace(/ \/(api|\.well-known)/, '')
      .replace(/[^a-z0-9]+(\w)?/gi, (_, next = '') => next.toUpperCase()),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: needs === undefined ? [] : securityOf(needs),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: bodyOf(body) }),
    ...(isPaid && paymentInfo(ratePerSec)),
    responses: responsesOf(operation),
  }
}

/** A proof in the header stands for the session and its CSRF token. */
function securityOf(needs: NonNullable<Operation['needs']>): Json[] {
  const cookies = Object.fromEntries(needs.map((name) => [name, []]))
  return needs.includes('session') ? [cookies, { proof: [] }] : [cookies]
}

/**
 * Read by x402 directories, in dollars. A price follows the mean time of a model's runs and the discount of its caller: it is never
 * below one unit of USDC, nor above a run of the longest time. The 402 has the exact price.
 */
function paymentInfo(ratePerSec: string): Json {
  const min = formatAmount(1n, USDC_DECIMALS)
  const max = estimateCostUsdc('text-to-image', ratePerSec, String(runDeadlineMs / 1000))
  return { 'x-payment-info': { price: { mode: 'dynamic', currency: 'USD', min, max }, protocols: [{ x402: {} }] } }
}

function bodyOf(body: NonNullable<Operation['body']>): Json {
  if ('description' in body) return { content: { 'application/json': { schema: { type: 'object', ...body } } } }
  const isNative = body.schema === 'InferenceRequest' || body.schema === 'EstimateRequest'
  const example = isNative ? { example: exampleRequest() } : {}
  return { required: true, content: { 'application/json': { schema: { $ref: reference(body.schema) }, ...example } } }
}

function parametersOf(key: string, { query, requestHeaders = {} }: Operation): Json[] {
  const schema = key === 'get /v1/models/{id}' ? { type: 'string' } : UUID
  const path = key.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema }] : []
  const fields =
    query === undefined ? {} : (z.toJSONSchema(query(), { io: 'input', unrepresentable: 'any' }).properties ?? {})
  const queries = Object.entries(fields).map(([name, schema]) => ({ name, in: 'query', schema }))
  const headers = Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  return [...path, ...queries, ...headers]
}

const UUID = { type: 'string', format: 'uuid' }

const bare = (schema: z.ZodType): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}

const requestSchemas = (): Json => ({
  SignInRequest: bare(signInBody()),
  EstimateRequest: bare(estimateSchema()),
  ShareRequest: bare(shareBody()),
  ChatCompletionRequest: bare(chatBody()),
  ImageGenerationRequest: bare(imageBody()),
  ResponseRequest: bare(responseBody()),
  SpeechRequest: bare(speechBody()),
})

/** Answers may gain members; a client must not fail on one that is not here. So none of these closes its objects. */
function answerSchemas(): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(answers())) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: reference,
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties
    },
  })
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema, $id, ...json }]) => [name, json]))
}
