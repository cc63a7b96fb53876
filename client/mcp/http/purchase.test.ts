import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import type { LocalAccount } from 'viem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeBuyer } from '../../../test/helpers/buyer.ts'
import { challengeInfoSchema } from '../../../test/helpers/challenge.ts'
import { BASE_SEPOLIA, makeTestConfig, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'
import { openMcp } from '../../../test/helpers/mcp.ts'
import { decodeHeader, encodeHeader } from '../../../test/helpers/sign-payment.ts'
import { catalogue } from '../../../worker/domain/models/catalogue.ts'
import { ProviderError } from '../../../worker/upstreams/provider/provider.ts'

const db = useDatabase()
const { text } = requests
const ARGUMENTS = { prompt: text.input.prompt, model: text.model }

const requiredSchema = z.looseObject({
  resource: z.looseObject({ url: z.string(), description: z.string() }),
  extensions: z.looseObject({ 'sign-in-with-x': z.looseObject({ info: challengeInfoSchema }) }),
})

/** The MCP server before the real API, and a buyer. */
function setUp(config: Parameters<typeof makeTestConfig>[0] = { paymentSignIn: true }) {
  const service = openService(db.database, { config: makeTestConfig(config) })
  service.clock.set(new Date())
  const background: Promise<unknown>[] = []
  const context = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException: () => undefined,
    props: {},
  }
  const mcp = openMcp((request) => service.time.run(Promise.resolve(service.app.fetch(request, {}, context))))
  const { fetch } = service
  const buyer = makeBuyer({ fetch, origin: TEST_ORIGIN, chainId: BASE_SEPOLIA.chainId, now: service.deps.now })
  /** A payment for what a call without one answered, as an object. */
  const paymentFor = async (required: unknown): Promise<unknown> => decodeHeader(await buyer.sign(Object(required)))
  const price = async (args: Record<string, unknown> = ARGUMENTS) =>
    (await mcp.call('write_text', args)).structuredContent
  const finish = () => service.time.run(Promise.allSettled(background))
  return { ...service, ...mcp, buyer, paymentFor, price, finish }
}

async function proofFor(required: unknown, account: LocalAccount, uri?: string): Promise<Record<string, string>> {
  const { info } = requiredSchema.parse(required).extensions['sign-in-with-x']
  const challenge = { ...info, uri: uri ?? info.uri, chainId: BASE_SEPOLIA.network, type: 'eip191' } as const
  return { 'SIGN-IN-WITH-X': encodeSIWxHeader(await createSIWxPayload(challenge, account, challenge.uri)) }
}

describe('a price', () => {
  it('default: it names /mcp, challenges for /mcp, and describes no HTTP call', async () => {
    const required = requiredSchema.parse(await setUp().price())
    expect(required.resource.url).toBe(`${TEST_ORIGIN}/mcp`)
    expect(required.extensions['sign-in-with-x'].info.uri).toBe(`${TEST_ORIGIN}/mcp`)
    expect(required.extensions['bazaar']).toBeUndefined()
  })

  it('behavior: it has only characters that btoa takes, for every model that stays', async () => {
    const { call } = setUp()
    const tools = { 'text-to-image': 'generate_image', 'text-to-text': 'write_text', 'text-to-sound': 'speak' }
    for (const { id, task } of catalogue.filter(({ replacedBy }) => replacedBy === undefined)) {
      const words = task === 'text-to-sound' ? { text: 'x' } : { prompt: 'x' }
      const { structuredContent, isError } = await call(tools[task], { ...words, model: id })
      expect([id, isError, structuredContent['x402Version']]).toEqual([id, true, 2])
      expect(() => btoa(JSON.stringify(structuredContent))).not.toThrow()
    }
  })

  it('behavior: above maxUsdc there is nothing to pay', async () => {
    const { call } = setUp()
    const { isError, content, structuredContent, _meta } = await call('write_text', { ...ARGUMENTS, maxUsdc: '0.0001' })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('above maxUsdc 0.0001')])
    expect([structuredContent['accepts'], _meta]).toEqual([undefined, {}])
  })

  it('behavior: a call without a model names the chosen one, and its payment buys that', async () => {
    const { call, price, paymentFor, provider } = setUp()
    const required = await price({ prompt: 'x' })
    expect(required).toMatchObject({ extensions: { 'chosen-model': { info: { id: text.model } } } })
    expect((await price())['extensions']).not.toHaveProperty('chosen-model')
    // The default changes before the payment comes.
    const payment = z.looseObject({ extensions: z.looseObject({}) }).parse(await paymentFor(required))
    payment.extensions['chosen-model'] = { info: { id: 'no/such' } }
    const other = await call('write_text', { prompt: 'x' }, { meta: { 'x402/payment': payment } })
    expect(other.structuredContent).toMatchObject({ problem: { code: 'model_not_found' } })
    expect(provider.state.created).toEqual([])
  })
})

describe('a purchase', () => {
  it.each<[string, (payment: unknown) => unknown]>([
    ['an object', (payment) => payment],
    ['base64', (payment) => Buffer.from(JSON.stringify(payment)).toString('base64')],
    ['base64 of Latin-1, as btoa writes it', (payment) => btoa(JSON.stringify(payment))],
    ['base64 for URLs', (payment) => Buffer.from(JSON.stringify(payment)).toString('base64url')],
  ])('default: the payment may be %s', async (_, encode) => {
    const { call, price, paymentFor, provider, calls } = setUp()
    provider.state.output = 'a word'
    const meta = { 'x402/payment': encode(await paymentFor(await price())) }
    const result = await call('write_text', ARGUMENTS, { meta })
    expect(result).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'a word' }],
      structuredContent: { text: 'a word', paidAtomic: '3000' },
      _meta: { 'x402/payment-response': { success: true } },
    })
    expect((await call('write_text', ARGUMENTS, { meta })).structuredContent).toEqual(result.structuredContent)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: the same payment has the same result at the other endpoint', async () => {
    const { call, price, paymentFor, fetch, calls } = setUp()
    const payment = await paymentFor(await price())
    const result = await call('write_text', ARGUMENTS, { meta: { 'x402/payment': payment } })
    const answer = await fetch(`${TEST_ORIGIN}/api/inference`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Payment-Signature': encodeHeader(payment) },
      body: JSON.stringify(text),
    })
    expect(await answer.json()).toMatchObject({ id: result.structuredContent['id'], status: 'succeeded' })
    const other = await call('write_text', { ...ARGUMENTS, prompt: 'other' }, { meta: { 'x402/payment': payment } })
    expect(other.isError).toBe(true)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: x402’s own receipt names the path that callers know', async () => {
    const { call, price, paymentFor } = setUp({ paymentSignIn: true, receiptSigningKey: `0x${'44'.repeat(32)}` })
    const result = await call('write_text', ARGUMENTS, { meta: { 'x402/payment': await paymentFor(await price()) } })
    expect(result._meta['x402/payment-response']).toMatchObject({
      extensions: { 'offer-receipt': { info: { receipt: { payload: { resourceUrl: `${TEST_ORIGIN}/mcp` } } } } },
    })
  })

  it('error: what is not ready after 55 s is pending, and status brings it', async () => {
    const { call, price, paymentFor, provider, finish, calls } = setUp()
    const done = provider.state.plays
    provider.state.plays = (prediction) => ({ ...prediction, status: 'running', rawStatus: 'processing', output: null })
    const meta = { 'x402/payment': await paymentFor(await price()) }
    const pending = await call('write_text', ARGUMENTS, { meta })
    expect(pending).toMatchObject({
      isError: false,
      structuredContent: { status: 'pending' },
      _meta: { 'x402/payment-response': { success: true } },
    })
    provider.state.plays = done
    await finish()
    const id = String(pending.structuredContent['statusUrl'])
    expect(id).toMatch(/\?key=/)
    expect((await call('status', { id })).structuredContent).toMatchObject({ status: 'succeeded' })
    expect((await call('write_text', ARGUMENTS, { meta })).structuredContent).toHaveProperty('text')
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: a failed run says that it is paid, and what was settled', async () => {
    const { call, price, paymentFor, provider } = setUp()
    provider.state.createError = new ProviderError('input', 'the provider answered 422')
    const result = await call('write_text', ARGUMENTS, { meta: { 'x402/payment': await paymentFor(await price()) } })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { problem: { code: 'inference_failed', paymentState: 'settled' } },
      _meta: { 'x402/payment-response': { success: true } },
    })
    expect(result.content[0]?.text).toContain('This was paid for.')
  })
})

describe('a caller without PAYMENT_SIGN_IN', () => {
  it('default: buys with a proof for /mcp in the header, and reads the purchase with it', async () => {
    const { call, price, paymentFor, buyer, calls } = setUp({})
    const headers = await proofFor(await price(), buyer.account)
    const { structuredContent: required } = await call('write_text', ARGUMENTS, { headers })
    const bare = { meta: { 'x402/payment': await paymentFor(await price()) } }
    expect((await call('write_text', ARGUMENTS, bare)).structuredContent).toMatchObject({ nextAction: 'sign_in' })
    const meta = { 'x402/payment': await paymentFor(required) }
    const result = await call('write_text', ARGUMENTS, { meta })
    expect(result.structuredContent).toHaveProperty('transaction')
    const id = String(result.structuredContent['id'])
    expect((await call('status', { id }, { headers })).structuredContent).toMatchObject({ id, status: 'succeeded' })
    expect((await call('status', { id })).structuredContent).toMatchObject({ accepts: [], nextAction: 'sign_in' })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it.each(['/api/inference', '/mcp/inference', '/'])('error: a proof for %s is refused here', async (path) => {
    const { call, price, buyer } = setUp({})
    const headers = await proofFor(await price(), buyer.account, TEST_ORIGIN + path)
    const { structuredContent } = await call('write_text', ARGUMENTS, { headers })
    expect(structuredContent).toMatchObject({ problem: { code: 'invalid_siwe_message' } })
  })

  it('error: a proof for /mcp is refused at the API’s own path', async () => {
    const { price, buyer, fetch } = setUp({})
    const proof = await proofFor(await price(), buyer.account)
    const headers = { 'Content-Type': 'application/json', ...proof }
    const answer = await fetch(`${TEST_ORIGIN}/api/inference`, { method: 'POST', headers, body: JSON.stringify(text) })
    expect(answer.status).toBe(400)
  })
})

it('default: MCP_ROUTES=false, and the API answers none of its calls', async () => {
  const { call } = setUp({ mcpRoutes: false })
  for (const [name, args] of [
    ['list_models', {}],
    ['estimate', {}],
    ['write_text', ARGUMENTS],
    ['status', { id: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10' }],
  ] as const) {
    expect((await call(name, args)).structuredContent).toMatchObject({ problem: { code: 'not_found' } })
  }
})

it('error: the limits of an address hold for its calls of tools', async () => {
  const { call, rateLimiter } = setUp()
  rateLimiter.state.allowed = false
  for (const name of ['list_models', 'estimate']) {
    expect((await call(name, {})).structuredContent).toMatchObject({ problem: { code: 'rate_limited' } })
  }
})
