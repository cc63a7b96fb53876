import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  createSIWxClientExtension,
  createSIWxPayload,
  encodeSIWxHeader,
  wrapFetchWithSIWx,
} from '@x402/extensions/sign-in-with-x'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeBuyer } from '../../test/helpers/buyer.ts'
import { BASE_SEPOLIA, makeTestConfig, TEST_ORIGIN } from '../../test/helpers/config.ts'
import { startTestDatabase, type TestDatabase } from '../../test/helpers/database.ts'
import { openService, requests } from '../../test/helpers/in-process-service.ts'
import { decodeHeader, encodeHeader } from '../../test/helpers/sign-payment.ts'
import { makeMemoryRateLimiter } from '../rate-limits/memory-rate-limiter.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await startTestDatabase()
})
afterAll(() => test.close())
beforeEach(() => test.reset())

const problemSchema = z.looseObject({
  code: z.string().optional(),
  paymentState: z.string().optional(),
  nextAction: z.string().optional(),
  status: z.unknown().optional(),
  statusUrl: z.string().optional(),
})
const challengeSchema = z.object({
  domain: z.string(),
  uri: z.string(),
  statement: z.string(),
  version: z.string(),
  nonce: z.string(),
  issuedAt: z.string(),
  expirationTime: z.string(),
})
const requiredSchema = z.looseObject({
  accepts: z.array(z.looseObject({ amount: z.string() })),
  extensions: z.looseObject({
    quote: z.looseObject({ info: z.looseObject({ token: z.string() }) }).optional(),
    'sign-in-with-x': z.looseObject({ info: challengeSchema }).optional(),
  }),
})

/** A service whose clock is the real one's, since published clients look at that; and callers without cookies. */
function setUp(paymentSignIn = false) {
  const service = openService(test.database, { config: makeTestConfig({ paymentSignIn }) })
  service.clock.set(new Date())
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)

  const send = async (path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const response = await service.fetch(TEST_ORIGIN + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await service.time.run(response.text())
    return { status: response.status, headers: response.headers, body: problemSchema.parse(JSON.parse(text)) }
  }
  const post = (body: unknown, headers: Record<string, string> = {}) => send('/api/inference', headers, body)
  const requiredOf = (answer: { headers: Headers }) =>
    requiredSchema.parse(decodeHeader(answer.headers.get('Payment-Required')))
  /** The proof that answers a 402, by its wallet. */
  const proofFor = async (answer: { headers: Headers }, by = account) => {
    const info = requiredOf(answer).extensions['sign-in-with-x']?.info
    if (info === undefined) throw new Error('no challenge')
    const challenge = { ...info, chainId: BASE_SEPOLIA.network, type: 'eip191' } as const
    const payload = await createSIWxPayload(challenge, by, info.uri)
    return { 'SIGN-IN-WITH-X': encodeSIWxHeader(payload) }
  }
  /** The payment header for a 402, by a wallet. */
  const paymentFor = async (
    answer: { headers: Headers },
    overrides: { extensions?: unknown } = {},
    privateKey = key,
  ) => {
    const buyer = makeBuyer({
      fetch: service.fetch,
      origin: TEST_ORIGIN,
      chainId: BASE_SEPOLIA.chainId,
      now: service.deps.now,
      privateKey,
    })
    const required = decodeHeader(answer.headers.get('Payment-Required'))
    return { 'Payment-Signature': await buyer.sign(required as Parameters<typeof buyer.sign>[0], overrides) }
  }
  const client = () =>
    x402Client.fromConfig({
      schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
    })
  const fetchHere: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    return service.fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.method !== 'GET' && { body: await request.text() }),
    })
  }
  return { ...service, account, send, post, requiredOf, proofFor, paymentFor, stock: { client, fetch: fetchHere } }
}

const BODY = requests.text

describe('a caller without a session', () => {
  it('default: an unpaid call is 402 with the base price, an open quote and a challenge', async () => {
    const { post, requiredOf } = setUp()
    const answer = await post(BODY)
    expect(answer).toMatchObject({ status: 402, body: { code: 'payment_required', nextAction: 'sign_in' } })
    const required = requiredOf(answer)
    expect(Object.keys(required.extensions).sort()).toEqual(['auth-hints', 'bazaar', 'quote', 'sign-in-with-x'])
    expect(required).toMatchObject({
      accepts: [{ amount: '3000' }],
      resource: { serviceName: 'Coinslot', tags: ['ai', 'text'] },
      extensions: { 'auth-hints': { info: { authRequirements: [{ acceptIndexes: [0] }] } } },
    })
    expect(answer.headers.get('Payment-Required')?.length).toBeLessThan(6 * 1024)
    const again = requiredOf(await post(BODY))
    expect(again.extensions.quote?.info.token).not.toBe(required.extensions.quote?.info.token)
  })

  it.each([
    ['{}', '{}', 402],
    ['no body', undefined, 402],
    ['a body that is not one', '{"task":"text-to-image"}', 400],
    ['an unknown model', '{"task":"text-to-image","model":"no/such","input":{}}', 404],
  ])('behavior: a probe with %s', async (_, body, status) => {
    const { fetch, requiredOf } = setUp()
    const init = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }
    const answer = await fetch(`${TEST_ORIGIN}/api/inference`, { method: 'POST', ...init })
    expect(answer.status).toBe(status)
    if (status === 402) expect(JSON.stringify(requiredOf(answer))).toContain('"task":"text-to-image"')
  })

  it('behavior: a proof on the unpaid call, then a payment with its nonce, buys once', async () => {
    const { post, proofFor, paymentFor, calls } = setUp()
    const first = await post(BODY)
    const bound = await post(BODY, await proofFor(first))
    expect(bound).toMatchObject({ status: 402, body: { nextAction: 'sign_new_payment' } })
    const payment = await paymentFor(first)
    expect((await post(BODY, payment)).status).toBe(200)
    expect((await post(BODY, payment)).status).toBe(200)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a payment for the answer to the proof buys too, with the bound challenge', async () => {
    const { post, proofFor, paymentFor } = setUp()
    const bound = await post(BODY, await proofFor(await post(BODY)))
    expect((await post(BODY, await paymentFor(bound))).status).toBe(200)
  })

  it('behavior: a proof beside the payment buys, once for one authorization', async () => {
    const { post, proofFor, paymentFor, calls } = setUp()
    const first = await post(BODY)
    const proof = await proofFor(first)
    const payment = await paymentFor(first)
    expect((await post(BODY, { ...payment, ...proof })).status).toBe(200)
    expect((await post(BODY, { ...payment, ...proof })).status).toBe(200)
    const other = await paymentFor(first)
    expect(await post(BODY, { ...other, ...proof })).toMatchObject({ status: 401, body: { code: 'nonce_used' } })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a paid call without a proof is 402 with a fresh challenge and no claim', async () => {
    const { post, proofFor, paymentFor, calls } = setUp()
    const payment = await paymentFor(await post(BODY))
    const refused = await post(BODY, payment)
    expect(refused).toMatchObject({ status: 402, body: { nextAction: 'sign_in', paymentState: 'unused' } })
    expect(calls()).toMatchObject({ verify: 0, settle: 0 })
    expect((await post(BODY, { ...payment, ...(await proofFor(refused)) })).status).toBe(200)
    const seen = await post(BODY, await paymentFor(await post(BODY), {}))
    expect(seen.body.paymentState).toBe('unused')
  })

  it('error: what a proof can be of something else, at a paid call', async () => {
    const { post, send, proofFor, paymentFor, account, calls } = setUp()
    const [mine, theirs] = [await post(BODY), await post(BODY)]
    const other = privateKeyToAccount(generatePrivateKey())
    const payment = await paymentFor(mine)
    const cases: [string, Record<string, string>, unknown, number, string][] = [
      ['another wallet', { ...payment, ...(await proofFor(theirs, other)) }, BODY, 403, 'payer_mismatch'],
      ['of another path', await proofFor(await send('/api/account')), BODY, 400, 'invalid_siwe_message'],
      ['not readable', { 'SIGN-IN-WITH-X': 'x' }, BODY, 400, 'invalid_siwe_message'],
    ]
    for (const [name, headers, body, status, code] of cases) {
      const answer = await post(body, headers)
      expect([name, answer.status, answer.body.code]).toEqual([name, status, code])
    }
    // Bound to one body, echoed for another.
    await post(BODY, await proofFor(mine))
    const otherBody = { ...BODY, input: { prompt: 'two words' } }
    const echo = await paymentFor(await post(otherBody), {
      extensions: z.looseObject({}).parse(decodeHeader(mine.headers.get('Payment-Required')))['extensions'],
    })
    expect(await post(otherBody, echo)).toMatchObject({ status: 402, body: { nextAction: 'sign_in' } })
    // Bound by one wallet, echoed by another.
    const stolen = await paymentFor(mine, {}, generatePrivateKey())
    expect(await post(BODY, stolen)).toMatchObject({ status: 402, body: { nextAction: 'sign_in' } })
    expect(calls()).toMatchObject({ verify: 0, settle: 0, create: 0 })
    expect(account.address).toMatch(/^0x/)
  })

  it('behavior: reads answer a program 402 with a challenge, whatever the id, and a browser 401', async () => {
    const { send, proofFor, requiredOf } = setUp()
    for (const path of ['/api/account', '/api/inferences', '/api/inference/none', '/api/inference/none/receipt']) {
      const answer = await send(path)
      expect([path, answer.status, requiredOf(answer).accepts]).toEqual([path, 402, []])
      expect((await send(path, { Origin: TEST_ORIGIN })).status).toBe(401)
      expect((await send(path, { Cookie: 'a=b' })).status).toBe(401)
      const proven = await send(path, await proofFor(answer))
      expect([path, proven.status]).toEqual([path, path.includes('none') ? 404 : 200])
    }
    expect((await send('/api/admin/payments')).status).toBe(401)
    expect((await send(`/api/inference/${'x'.repeat(4_000)}`)).status).toBe(401)
  })

  it('behavior: a bad proof is refused beside a good cookie too', async () => {
    const { openBuyer } = setUp()
    const buyer = await openBuyer()
    expect((await buyer.call('/api/account', { headers: { 'SIGN-IN-WITH-X': 'x' } })).status).toBe(400)
    expect((await buyer.call('/api/account')).status).toBe(200)
  })
})

describe('PAYMENT_SIGN_IN', () => {
  it('default: an open quote signs in one payment, and finds it again after it expired', async () => {
    const { post, send, paymentFor, calls, clock } = setUp(true)
    const first = await post(BODY)
    expect(first.body.nextAction).toBe('sign_new_payment')
    const payment = await paymentFor(first)
    const answer = await post(BODY, { ...payment, Prefer: 'respond-async' })
    expect(answer.status).toBe(202)
    expect(answer.body.statusUrl).toMatch(/\?key=[\w-]{43}$/)
    expect(answer.headers.get('Location')).toBe(answer.body.statusUrl)
    clock.advance(700_000)
    expect((await post(BODY, payment)).status).toBe(200)
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
    const url = answer.body.statusUrl ?? ''
    expect(await send(url)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect((await send(url.replace(/key=./, (first) => (first === 'key=A' ? 'key=B' : 'key=A')))).status).toBe(402)
    expect((await send(url.split('?')[0] ?? '')).status).toBe(402)
  })

  it('error: quote_expired for a second authorization on the same quote, of any wallet', async () => {
    const { post, paymentFor, calls } = setUp(true)
    const first = await post(BODY)
    const payments = [
      await paymentFor(first),
      await paymentFor(first),
      await paymentFor(first, {}, generatePrivateKey()),
    ]
    const answers = await Promise.all(payments.map((payment) => post(BODY, payment)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402])
    for (const { status, body } of answers) if (status === 402) expect(body.code).toBe('quote_expired')
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: a payment without its quote, or with another one, opens nothing', async () => {
    const { post, paymentFor } = setUp(true)
    const first = await post(BODY)
    const payment = await paymentFor(first)
    expect((await post(BODY, payment)).status).toBe(200)
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    const other = z.looseObject({}).parse(decodeHeader((await post(BODY)).headers.get('Payment-Required')))
    for (const extensions of [undefined, {}, other['extensions']]) {
      const rebuilt = encodeHeader({ ...decoded, extensions })
      const answer = await post(BODY, { 'Payment-Signature': rebuilt })
      expect(answer).toMatchObject({ status: 402, body: { nextAction: 'sign_in', paymentState: 'settled' } })
      expect(answer.headers.get('Payment-Response')).toBeNull()
      expect(JSON.stringify(answer.body)).not.toContain('one word')
    }
  })

  it('error: switched off, an open quote does not count as sign-in', async () => {
    const { post, paymentFor, calls } = setUp(false)
    expect((await post(BODY, await paymentFor(await post(BODY)))).body.nextAction).toBe('sign_in')
    expect(calls()).toMatchObject({ verify: 0 })
  })
})

describe('PAYMENT_SIGN_IN, an open quote that is not for this call', () => {
  it.each([
    ['has expired', 601_000, BODY],
    ['has expired and whose nonce was purged', 2 * 3_600_000, BODY],
    ['is for another request', 0, { ...BODY, input: { prompt: 'two words' } }],
  ])('error: quote_expired where it %s', async (_, ms, body) => {
    const { post, requiredOf, paymentFor, calls, clock, tick } = setUp(true)
    const first = await post(BODY)
    if (ms > 601_000) expect((await post(BODY, await paymentFor(first))).status).toBe(200)
    const before = calls()
    clock.advance(ms)
    await tick()
    const payment = await paymentFor(await post(body), { extensions: requiredOf(first).extensions })
    expect(await post(body, payment)).toMatchObject({ status: 402, body: { code: 'quote_expired' } })
    expect(calls()).toEqual(before)
  })
})

describe('limits of callers whose wallet is not proven', () => {
  /** Payments that echo a nonce that proves nothing, each of another wallet; the first may be given. */
  const made = async (kit: ReturnType<typeof setUp>, count: number) => {
    const first = await kit.post(BODY)
    return Promise.all(Array.from({ length: count }, () => kit.paymentFor(first, {}, generatePrivateKey())))
  }

  it('error: rate_limited after 60 unproven payments of an address', async () => {
    const kit = setUp()
    kit.deps.rateLimiter = makeMemoryRateLimiter(kit.clock.now)
    const statuses: number[] = []
    for (const payment of await made(kit, 62)) statuses.push((await kit.post(BODY, payment)).status)
    expect(statuses.filter((status) => status === 402)).toHaveLength(59)
    expect(statuses.at(-1)).toBe(429)
  })

  it('error: rate_limited says what the journal has of a payment that is settled', async () => {
    const kit = setUp()
    const first = await kit.post(BODY)
    const payment = await kit.paymentFor(first)
    expect((await kit.post(BODY, { ...payment, ...(await kit.proofFor(first)) })).status).toBe(200)
    const stranger = await kit.paymentFor(await kit.post(BODY))
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    const other = z.looseObject({}).parse(decodeHeader(stranger['Payment-Signature'] ?? ''))
    const rebuilt = { 'Payment-Signature': encodeHeader({ ...decoded, extensions: other['extensions'] }) }
    kit.rateLimiter.state.allowed = false
    expect(await kit.post(BODY, rebuilt)).toMatchObject({ status: 429, body: { paymentState: 'settled' } })
  })

  it('behavior: over the claim limit, a signature that does not recover reads no chain', async () => {
    const kit = setUp()
    const [payment] = await made(kit, 1)
    const decoded = z
      .looseObject({ payload: z.looseObject({}) })
      .parse(decodeHeader(payment?.['Payment-Signature'] ?? ''))
    const forged = { ...decoded, payload: { ...decoded.payload, signature: `0x${'11'.repeat(65)}` } }
    kit.rateLimiter.state.allowed = false
    const reads = kit.chain.state.calls.length
    expect((await kit.post(BODY, { 'Payment-Signature': encodeHeader(forged) })).status).toBe(429)
    expect(kit.chain.state.calls.slice(reads)).toEqual([])
  })

  it('error: rate_limited for the proofs of many wallets from one address, and none is bound', async () => {
    const kit = setUp()
    kit.deps.rateLimiter = makeMemoryRateLimiter(kit.clock.now)
    const statuses: number[] = []
    for (let count = 0; count < 62; count += 1) {
      const challenge = await kit.send('/api/inference/none')
      const info = kit.requiredOf(challenge).extensions['sign-in-with-x']?.info
      if (info === undefined) throw new Error('no challenge')
      const uri = `${TEST_ORIGIN}/api/inference`
      const wallet = privateKeyToAccount(generatePrivateKey())
      const payload = await createSIWxPayload(
        { ...info, uri, chainId: BASE_SEPOLIA.network, type: 'eip191' },
        wallet,
        uri,
      )
      statuses.push((await kit.post(BODY, { 'SIGN-IN-WITH-X': encodeSIWxHeader(payload) })).status)
    }
    expect(statuses.filter((status) => status === 402)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('a payment in the journal, sent without a proof that is good for it', () => {
  it.each([
    ['a body that is not valid', { ...BODY, input: {} }, false, 400],
    ['an error while the answer is written', BODY, true, 500],
  ])('error: a stranger with what is public gets no key to the record by %s', async (_, body, fails, status) => {
    const kit = setUp(true)
    const payment = await kit.paymentFor(await kit.post(BODY))
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    expect((await kit.post(BODY, payment)).status).toBe(200)
    const { extensions } = kit.requiredOf(await kit.post(BODY))
    if (fails) kit.facilitator.supportedNetworks = () => Promise.reject(new Error('a fault'))
    const answer = await kit.post(body, { 'Payment-Signature': encodeHeader({ ...decoded, extensions }) })
    expect([answer.status, answer.body.statusUrl, answer.headers.get('Location')]).toEqual([status, undefined, null])
    expect(answer.headers.get('Payment-Response')).toBeNull()
  })

  it('error: nonce_used says that the payment is settled', async () => {
    const { post, proofFor, paymentFor } = setUp()
    const [first, second] = [await post(BODY), await post(BODY)]
    const [payment, used] = [await paymentFor(first), await proofFor(second)]
    expect((await post(BODY, { ...payment, ...(await proofFor(first)) })).status).toBe(200)
    expect((await post(BODY, { ...(await paymentFor(second)), ...used })).status).toBe(200)
    const answer = await post(BODY, { ...payment, ...used })
    expect(answer).toMatchObject({ status: 401, body: { code: 'nonce_used', paymentState: 'settled' } })
  })

  it.each([
    ['an input that is not valid', { ...BODY, input: {} }, 400],
    ['an unknown model', { ...BODY, model: 'no/such' }, 404],
  ])('error: with %s the answer says that the payment is settled', async (_, body, status) => {
    const { post, requiredOf, proofFor, paymentFor } = setUp()
    const first = await post(BODY)
    const payment = await paymentFor(first)
    expect((await post(BODY, { ...payment, ...(await proofFor(first)) })).status).toBe(200)
    const decoded = z.looseObject({}).parse(decodeHeader(payment['Payment-Signature'] ?? ''))
    const other = requiredOf(await post(BODY)).extensions
    for (const extensions of [{}, other]) {
      const answer = await post(body, { 'Payment-Signature': encodeHeader({ ...decoded, extensions }) })
      expect(answer).toMatchObject({ status, body: { paymentState: 'settled' } })
    }
  })
})

describe('published x402 clients, unmodified', () => {
  const buyWith = async (buy: typeof fetch) => {
    const response = await buy(`${TEST_ORIGIN}/api/inference`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(BODY),
    })
    return { status: response.status, text: await response.text() }
  }

  it('default: @x402/fetch with the extension of sign-in-with-x', async () => {
    const { stock, account, calls } = setUp()
    const client = stock.client().registerExtension(createSIWxClientExtension({ signers: [account] }))
    expect(await buyWith(wrapFetchWithPayment(stock.fetch, client))).toMatchObject({ status: 200 })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('default: wrapFetchWithPayment around wrapFetchWithSIWx', async () => {
    const { stock, account, calls } = setUp()
    const buy = wrapFetchWithPayment(wrapFetchWithSIWx(stock.fetch, account), stock.client())
    expect(await buyWith(buy)).toMatchObject({ status: 200 })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('default: plain @x402/fetch with PAYMENT_SIGN_IN', async () => {
    const { stock, calls } = setUp(true)
    expect(await buyWith(wrapFetchWithPayment(stock.fetch, stock.client()))).toMatchObject({ status: 200 })
    expect(calls()).toMatchObject({ settle: 1, create: 1 })
  })
})
