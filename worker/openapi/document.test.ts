import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { PROBLEMS } from '../../protocol/problems.ts'
import { makeTestApp } from '../../test/helpers/app.ts'
import { makeTestConfig } from '../../test/helpers/config.ts'
import { catalogue } from '../models/catalogue.ts'
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
    const kept = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
    expect(JSON.parse(kept)).toEqual(JSON.parse(answer.text))
  })

  it('behavior: every route of the app is described, and nothing else', () => {
    // `/openapi.json` is the same call as `/api/openapi.json`. What is below `/mcp` is for the MCP server alone.
    const isPublic = (path: string): boolean => path !== '/openapi.json' && !path.startsWith('/mcp/')
    const routes = kit.app.routes.filter(({ method, path }) => method !== 'ALL' && isPublic(path))
    const served = routes.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect([...new Set(served)].sort()).toEqual(Object.keys(OPERATIONS).sort())
  })

  it('default: x-payment-info has the lowest and the highest base price at this rate', async () => {
    const priceAt = async (ratePerSec: string) => {
      const { json } = await makeTestApp({ config: makeTestConfig({ ratePerSec }) })
        .client()
        .get('/openapi.json')
      return documentSchema.parse(json).paths['/api/inference']?.['post']?.['x-payment-info']
    }
    const protocols = [{ x402: {} }]
    const price = { mode: 'dynamic', currency: 'USD' }
    expect(await priceAt('0.001')).toEqual({ price: { ...price, min: '0.003000', max: '0.015000' }, protocols })
    expect(await priceAt('1.000000001')).toEqual({ price: { ...price, min: '3.000001', max: '15.000001' }, protocols })
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
