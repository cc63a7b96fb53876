import { expect, test } from 'vitest'
import { makeTestConfig } from '../../test/helpers/config.ts'
import { catalogue, findModel } from '../../worker/domain/models/catalogue.ts'
import type { Fetch } from '../../worker/lib/http.ts'
import { checkBucket } from './bucket.ts'
import { checkFacilitator } from './facilitator.ts'
import type { Check, Finding } from './finding.ts'
import { checkOrigin } from './origin.ts'
import { checkModels, checkProvider, checkWebhookSecret } from './provider.ts'

type Answers = Record<string, () => Response>

/** The findings of a check when these are the answers, by method and path. Other calls fail. */
function found(check: Check, answers: Answers, webhookSecret?: string): Promise<Finding[]> {
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url)
    const answer = answers[`${init?.method ?? 'GET'} ${pathname}`] ?? answers[init?.method ?? 'GET']
    if (answer === undefined) throw new TypeError('refused')
    return answer()
  }
  const base = makeTestConfig()
  const config = { ...base, provider: { ...base.provider, ...(webhookSecret !== undefined && { webhookSecret }) } }
  return check({ config, fetch, now: () => new Date(), newId: () => 'x' })
}

const json = (body: unknown) => () => Response.json(body)
const status = (code: number) => () => new Response('', { status: code })
const supported = json({ kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }] })

test.each([
  ['does not answer', undefined],
  ['answers 404', status(404)],
  ['answers 503', status(503)],
])('error: a facilitator that only lists what it settles is not green: /verify %s', async (words, verify) => {
  const answers: Answers = { 'GET /supported': supported, ...(verify && { 'POST /verify': verify }) }
  expect(await found(checkFacilitator, answers)).toMatchObject([
    { status: 'fail', detail: expect.stringContaining(words) },
  ])
})

test.each([200, 400, 422])('default: a facilitator that refuses an empty call with %d is green', async (code) => {
  const answers = {
    'GET /supported': supported,
    'POST /verify': () => Response.json({ isValid: false }, { status: code }),
  }
  expect(await found(checkFacilitator, answers)).toMatchObject([{ status: 'ok' }])
})

test('error: a page that answers 200 to everything is not a model provider', async () => {
  const page = () => new Response('<!doctype html>')
  expect(await found(checkProvider, { GET: page })).toMatchObject([
    { status: 'fail', advice: expect.stringContaining('MODEL_PROVIDER_BASE_URL') },
  ])
  const account = json({ type: 'organization', username: 'acme' })
  expect(await found(checkProvider, { 'GET /v1/account': account })).toMatchObject([{ status: 'ok' }])
})

test('error: a webhook secret that the provider does not sign with is not green', async () => {
  const [ours, theirs] = [`whsec_${'A'.repeat(32)}`, `whsec_${'B'.repeat(32)}`]
  const path = 'GET /v1/webhooks/default/secret'
  expect(await found(checkWebhookSecret, { [path]: json({ key: theirs }) }, ours)).toMatchObject([{ status: 'fail' }])
  expect(await found(checkWebhookSecret, { [path]: json({ key: ours }) }, ours)).toMatchObject([{ status: 'ok' }])
  expect(await found(checkWebhookSecret, {}, ours)).toMatchObject([
    { status: 'ok', detail: expect.stringContaining('not show') },
  ])
})

test('error: a bucket that lists its objects to everyone is not green', async () => {
  const text = 'written by npm run doctor; safe to delete'
  const answers: Answers = { PUT: status(200), DELETE: status(200), HEAD: status(200), GET: () => new Response(text) }
  const listing = () => new Response('<ListBucketResult></ListBucketResult>')
  expect(await found(checkBucket, answers)).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
  expect(await found(checkBucket, { ...answers, 'GET /': listing })).toMatchObject([
    { status: 'ok' },
    { check: 'public objects', status: 'fail', detail: expect.stringContaining('lists its objects') },
  ])
})

test.each([
  ['its own tools answer', () => new Response('data: {"estimatedCostUsdc":"0.003000"}'), 'ok'],
  ['a static site is there', status(405), 'warn'],
  ['its way to the API is broken', () => new Response('data: {"isError":true}'), 'warn'],
  ['nothing is there', undefined, 'warn'],
])('error: an MCP server is green only where %s', async (_, mcp, expected) => {
  const health = json({ status: 'ok', db: 'ok', r2: 'ok', replicate: 'ok' })
  const findings = await found(checkOrigin, { 'GET /api/health': health, ...(mcp && { 'POST /mcp': mcp }) })
  expect(findings.find(({ check }) => check === 'mcp')?.status).toBe(expected)
})

/** The provider's answers for the whole catalogue, each model with these schemas. */
const modelAnswers = (schemas: (id: string) => Record<string, unknown>): Answers =>
  Object.fromEntries(
    catalogue.map(({ id, providerModel }) => {
      const [, version] = providerModel.split(':')
      const shown = { openapi_schema: { components: { schemas: schemas(id) } } }
      return version === undefined
        ? [`GET /v1/models/${id}`, json({ latest_version: shown })]
        : [`GET /v1/models/${id}/versions/${version}`, json(shown)]
    }),
  )
const ownInput = (id: string) => ({ Input: findModel(id)?.inputJsonSchema })

test('default: a provider that has every model and takes what we send is green', async () => {
  expect(await found(checkModels, modelAnswers(ownInput))).toMatchObject([{ status: 'ok' }])
})

test('error: a model that the provider does not have, or that takes other inputs, is not green', async () => {
  const [gone, changed] = ['suno-ai/bark', 'google/lyria-2']
  const [, version] = findModel(gone)?.providerModel.split(':') ?? []
  const answers = modelAnswers((id) => (id === changed ? { Input: { properties: {} } } : ownInput(id)))
  answers[`GET /v1/models/${gone}/versions/${version}`] = status(404)
  const findings = await found(checkModels, answers)
  expect(findings.map(({ status, detail }) => [status, detail])).toEqual([
    ['fail', expect.stringMatching(/does not have suno-ai\/bark:/)],
    ['fail', 'google/lyria-2: `prompt`: the provider has no such input'],
    ['fail', 'google/lyria-2: `negative_prompt`: the provider has no such input'],
    ['fail', 'google/lyria-2: `seed`: the provider has no such input'],
  ])
})

test('behavior: without a provider the models are not checked', async () => {
  expect(await found(checkModels, {})).toMatchObject([{ status: 'skip' }])
})
