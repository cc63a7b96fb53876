import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { PROBLEMS } from '../../../protocol/problems.ts'
import { makeTestApp } from '../../../test/helpers/app.ts'
import { makeTestConfig } from '../../../test/helpers/config.ts'
import { catalogue } from '../../domain/models/catalogue.ts'
import { OPERATIONS } from './operations.ts'
import { answers } from './schemas.ts'

const json = z.record(z.string(), z.unknown())
const responseSchema = z.object({
  description: z.string().min(1),
  content: z.record(z.string(), z.object({ schema: json, examples: json.optional() })).optional(),
})
const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  responses: z.record(z.string(), responseSchema),
})
const documentSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({
    schemas: z.record(z.string(), json),
    examples: z.record(z.string(), z.object({ value: json })),
  }),
})

const kit = makeTestApp()
const answer = await kit.client().get('/api/openapi.json')
const document = documentSchema.parse(answer.json)

it('behavior: problems and the catalogue lead to the document and to help', async () => {
  const services = '</api/openapi.json>; rel="service-desc", </docs>; rel="service-doc"'
  const refused = await kit.client().get('/api/admin/metrics')
  expect(refused.headers.get('Link')).toBe(`</problems/unauthenticated>; rel="help", ${services}`)
  const database = { run: async () => [], batch: async () => [] }
  expect((await makeTestApp({ database }).client().get('/api/models')).headers.get('Link')).toBe(services)
})

describe('GET /api/openapi.json', () => {
  it('default: a valid OpenAPI 3.1 document, never stored and open to every origin', async () => {
    expect(await new Validator().validate(JSON.parse(answer.text))).toEqual({ valid: true })
    const other = await kit.client().get('/api/openapi.json', { Origin: 'https://elsewhere.example' })
    expect(Object.fromEntries(other.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    expect(other.headers.has('X-Request-Id')).toBe(true)
    expect(document.servers).toEqual([{ url: '/' }])
  })

  it('default: the same document at /openapi.json, for every origin, and in docs/', async () => {
    const short = await kit.client().get('/openapi.json', { Origin: 'https://elsewhere.example' })
    expect(short.text).toBe(answer.text)
    expect(short.headers.get('access-control-allow-origin')).toBe('*')
    const kept = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
    expect(JSON.parse(kept)).toEqual(JSON.parse(answer.text))
  })

  it('behavior: every route of the app is described, and nothing else', () => {
    // `/openapi.json` is the same call as `/api/openapi.json`. What is below `/mcp` is for the MCP server alone, which serves `/mcp`.
    const isPublic = (path: string): boolean => path !== '/openapi.json' && !path.startsWith('/mcp/')
    const routes = kit.app.routes.filter(({ method, path }) => method !== 'ALL' && isPublic(path))
    const served = routes.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}').replace('/*', '/{id}')}`,
    )
    expect([...new Set([...served, 'post /mcp'])].sort()).toEqual(Object.keys(OPERATIONS).sort())
  })

  it('default: O7 x-payment-info is on every paid call, with a range that holds at this rate', async () => {
    const infoAt = async (ratePerSec: string) => {
      const { json } = await makeTestApp({ config: makeTestConfig({ ratePerSec }) })
        .client()
        .get('/openapi.json')
      const posts = Object.entries(documentSchema.parse(json).paths).map(([path, { post }]) => [path, post] as const)
      return Object.fromEntries(
        posts.flatMap(([path, post]) => (post?.['x-payment-info'] ? [[path, post['x-payment-info']]] : [])),
      )
    }
    const info = (max: string) => ({
      price: { mode: 'dynamic', currency: 'USD', min: '0.000001', max },
      protocols: [{ x402: {} }],
    })
    const paths = [
      '/api/inference',
      '/v1/images/generations',
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/audio/speech',
      '/mcp',
    ]
    expect(await infoAt('0.001')).toEqual(Object.fromEntries(paths.map((path) => [path, info('2.700000')])))
    expect((await infoAt('1.000000001'))['/mcp']).toEqual(info('2700.000003'))
  })

  it('behavior: O7 the documentation has a whole address, and every tag is described', () => {
    const whole = z.object({
      externalDocs: z.object({ url: z.url() }),
      tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
    })
    const described = whole.parse(document).tags.map(({ name }) => name)
    const used = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags))
    expect(described.sort()).toEqual([...new Set(used)].sort())
  })

  it('behavior: O7 every body and every JSON answer under /v1 has members', () => {
    const bodies = Object.entries(document.paths).flatMap(([path, item]) =>
      path.startsWith('/v1/')
        ? Object.values(item).map(({ requestBody, responses }) => ({ requestBody, ok: responses['200'] }))
        : [],
    )
    const names = [
      ...JSON.stringify(bodies).matchAll(/"application\/json":\{"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/g),
    ]
    expect(names.map(([, name = '']) => name).sort()).toEqual([
      'ChatCompletion',
      'ChatCompletionRequest',
      'ImageGenerationRequest',
      'OpenaiImages',
      'OpenaiModel',
      'OpenaiModelList',
      'OpenaiResponse',
      'ResponseRequest',
      'SpeechRequest',
    ])
    for (const [, name = ''] of names) expect(document.components.schemas[name]).toHaveProperty('properties')
  })

  it('behavior: some call answers every code of the table, except method_not_allowed', () => {
    const described = new Set(Object.keys(document.components.examples))
    const missing = Object.keys(PROBLEMS).filter((code) => !described.has(code))
    expect(missing).toEqual(['method_not_allowed'])
  })

  it('behavior: every reference leads somewhere', () => {
    const references = [...answer.text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    const components = z.record(z.string(), json).parse(document.components)
    const dangling = references.filter(([, kind = '', name = '']) => components[kind]?.[name] === undefined)
    expect(dangling.map(([text]) => text)).toEqual([])
  })

  it('behavior: operation ids are unique', () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['getAuthNonce', 'postInference', 'getInferenceIdReceipt', 'getX402']))
  })

  it('behavior: each model has its own request, with the schema that checks it', () => {
    for (const { id, task, inputJsonSchema } of catalogue) {
      const { $schema, ...input } = inputJsonSchema
      expect(document.components.schemas[id.replaceAll('/', '.')]).toMatchObject({
        properties: { task: { const: task }, model: { const: id }, input },
      })
    }
    expect(document.components.schemas['InferenceRequest']).toMatchObject({ oneOf: { length: catalogue.length } })
  })

  it('behavior: examples are answers that could be', () => {
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      const schema = value['status'] === 402 ? answers().PaymentRequired : answers().Problem
      expect([code, schema.safeParse(value).error]).toEqual([code, undefined])
    }
    const shown: string[] = []
    for (const [name, schema] of Object.entries(answers())) {
      const examples = z.array(z.unknown()).parse(document.components.schemas[name]?.['examples'] ?? [])
      for (const example of examples) expect([name, schema.safeParse(example).error]).toEqual([name, undefined])
      if (examples.length > 0) shown.push(name)
    }
    expect(shown).toEqual(['Estimate', 'Inference'])
  })

  it('behavior: answers may gain members, requests may not', () => {
    expect(document.components.schemas['Inference']).not.toHaveProperty('additionalProperties')
    expect(document.components.schemas['SignInRequest']).toHaveProperty('additionalProperties', false)
  })
})
