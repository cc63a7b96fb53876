import { describe, expect, it } from 'vitest'
import { K1, makeTestApp } from '../../../test/helpers/app.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { type Answer, openService, requests } from '../../../test/helpers/in-process-service.ts'
import { makeMemoryRateLimiter } from './memory-rate-limiter.ts'

const db = useDatabase()

/** A service that counts, and a buyer with one quote to sign as often as it likes. */
async function open() {
  const service = openService(db.database)
  service.deps.rateLimiter = makeMemoryRateLimiter(service.clock.now)
  const buyer = await service.openBuyer()
  const quote = await buyer.quote(requests.text)
  const validBefore = String(Math.floor(service.clock.now().getTime() / 1000) + 800)
  const newPayment = () => buyer.sign(quote, { validBefore })
  const pay = async (header?: string) => buyer.answer(requests.text, header ?? (await newPayment()))
  return { service, buyer, newPayment, pay }
}

const verdict = ({ status, headers }: Answer) => ({
  status,
  limit: headers.get('RateLimit'),
  policy: headers.get('RateLimit-Policy'),
  retryAfter: headers.get('Retry-After'),
})
const passed = (status: number) => ({ status, limit: null, policy: null, retryAfter: null })

describe('ten new payments per wallet and minute', () => {
  it('error: rate_limited with the three headers for the eleventh, and nothing is charged', async () => {
    const { service, pay } = await open()
    for (let count = 0; count < 10; count += 1) {
      expect(verdict(await pay())).toEqual(passed(200))
      service.clock.advance(1_000)
    }
    const refused = await pay()
    // The first of the ten is 10 s old: it leaves the window in 50.
    expect(verdict(refused)).toEqual({
      status: 429,
      limit: '"paid";r=0;t=50',
      policy: '"paid";q=10;w=60',
      retryAfter: '50',
    })
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 50,
      nextAction: 'wait_and_retry',
      paymentState: 'unused',
    })
    expect(service.calls()).toMatchObject({ verify: 10, settle: 10, create: 10 })
    service.clock.advance(49_000)
    expect((await pay()).status).toBe(429)
    service.clock.advance(1_000)
    expect((await pay()).status).toBe(200)
  })

  it('behavior: of 14 new payments at once exactly ten are taken', async () => {
    const { service, newPayment, pay } = await open()
    const headers = await Promise.all(Array.from({ length: 14 }, newPayment))
    const answers = await Promise.all(headers.map(pay))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)])
    expect(service.calls()).toMatchObject({ settle: 10, create: 10 })
  })

  it('behavior: copies of a payment and reads of it are never limited', async () => {
    const { service, buyer, newPayment, pay } = await open()
    const first = await newPayment()
    const { id } = (await pay(first)).body
    for (let count = 0; count < 9; count += 1) await pay()
    expect((await pay()).status).toBe(429)
    for (let count = 0; count < 30; count += 1) {
      expect(await pay(first)).toMatchObject({ status: 200, body: { id } })
      expect((await buyer.status(id ?? '')).status).toBe(200)
    }
    expect(service.calls()).toMatchObject({ settle: 10 })
  })

  it('behavior: one wallet’s limit is not another’s', async () => {
    const { service, pay } = await open()
    for (let count = 0; count < 11; count += 1) await pay()
    const other = await service.openBuyer()
    expect((await other.answer(requests.text, await other.signedPayment(requests.text))).status).toBe(200)
  })

  it('error: rate_limited for the eleventh refused payment; good ones count separately', async () => {
    const { service, buyer, pay } = await open()
    const quote = await buyer.quote(requests.text)
    const refuse = async () => buyer.answer(requests.text, await buyer.sign(quote, { value: '1' }))
    // Two of the ten unpaid calls were quotes.
    for (let count = 0; count < 8; count += 1) expect((await refuse()).status).toBe(402)
    const limited = await refuse()
    expect(verdict(limited)).toMatchObject({ status: 429, policy: '"unpaid";q=10;w=60' })
    expect(limited.body).toMatchObject({ code: 'rate_limited', paymentState: 'unused' })
    expect(service.calls()).toMatchObject({ verify: 0 })
    expect((await pay()).status).toBe(200)
  })

  it('behavior: a payment that has a row is found and answered when the refusals are used up', async () => {
    const { buyer, newPayment, pay } = await open()
    const good = await newPayment()
    const { id } = (await pay(good)).body
    const quote = await buyer.quote(requests.text)
    for (let count = 0; count < 12; count += 1) {
      await buyer.answer(requests.text, await buyer.sign(quote, { value: '1' }))
    }
    expect(await pay(good)).toMatchObject({ status: 200, body: { id } })
  })

  it('behavior: 40 refused payments at once wait for no wallet lock and write nothing', async () => {
    const { service, buyer } = await open()
    service.deps.config.rateLimits = false
    const quote = await buyer.quote(requests.text)
    const headers = await Promise.all(Array.from({ length: 40 }, () => buyer.sign(quote, { value: '1' })))
    const locked: unknown[] = []
    const { batch } = service.deps.database
    service.deps.database.batch = (...args) => {
      locked.push(args)
      return batch(...args)
    }
    const answers = await Promise.all(headers.map((header) => buyer.answer(requests.text, header)))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(402))
    expect(locked).toEqual([])
  })
})

describe('ten unpaid calls per wallet and minute', () => {
  it('error: rate_limited for the eleventh; payments are counted apart', async () => {
    const { service, buyer, pay } = await open()
    // One was the quote.
    for (let count = 0; count < 9; count += 1) expect((await buyer.post(requests.text)).status).toBe(402)
    const refused = await service.read(await buyer.post(requests.text))
    expect(verdict(refused)).toEqual({
      status: 429,
      limit: '"unpaid";r=0;t=60',
      policy: '"unpaid";q=10;w=60',
      retryAfter: '60',
    })
    expect((await pay()).status).toBe(200)
    const other = await service.openBuyer()
    expect((await other.post(requests.text)).status).toBe(402)
  })
})

describe('120 paid calls per address', () => {
  it('error: rate_limited for a new payment of any wallet there; what was paid before is found', async () => {
    const { service, pay, newPayment } = await open()
    const first = await newPayment()
    const { id } = (await pay(first)).body
    for (let count = 1; count < 120; count += 1) expect((await pay(first)).status).toBe(200)
    const other = await service.openBuyer()
    const limited = await other.answer(requests.text, await other.signedPayment(requests.text))
    expect(verdict(limited)).toMatchObject({ status: 429, policy: '"claims";q=120;w=60' })
    expect(limited.body).toMatchObject({ code: 'rate_limited', paymentState: 'unused' })
    expect(await pay(first)).toMatchObject({ status: 200, body: { id } })
    service.clock.advance(60_000)
    expect((await other.answer(requests.text, await other.signedPayment(requests.text))).status).toBe(200)
  })
})

describe('60 looks at an account per wallet', () => {
  it('error: rate_limited for the next', async () => {
    const { service, buyer } = await open()
    const look = () => buyer.call('/api/account', { method: 'GET' })
    for (let count = 0; count < 60; count += 1) expect((await look()).status).toBe(200)
    expect(verdict(await service.read(await look()))).toMatchObject({ status: 429, policy: '"account";q=60;w=60' })
  })
})

describe('limits per address', () => {
  it.each([
    ['POST', '/api/auth/verify', 20, 'verify'],
    ['POST', '/api/inference/estimate', 60, 'estimate'],
    ['GET', '/api/models', 60, 'models'],
  ] as const)(
    'error: rate_limited at %s %s after %i calls, for that address alone',
    async (method, path, limit, name) => {
      const { deps, clock, client } = makeTestApp()
      deps.rateLimiter = makeMemoryRateLimiter(clock.now)
      const caller = client('203.0.113.7')
      for (let count = 0; count < limit; count += 1) expect((await caller.send(method, path)).status).not.toBe(429)
      // Another wallet or forged headers do not make a different caller.
      const disguise = { 'X-Forwarded-For': '198.51.100.1', 'X-Real-IP': '198.51.100.1', Forwarded: 'for=198.51.100.1' }
      const refused = await caller.send(method, path, { headers: disguise })
      expect([refused.status, refused.headers.get('RateLimit-Policy')]).toEqual([429, `"${name}";q=${limit};w=60`])
      expect((await client('203.0.113.8').send(method, path)).status).not.toBe(429)
      clock.advance(60_000)
      expect((await caller.send(method, path)).status).not.toBe(429)
    },
  )

  it('behavior: calls that cost nothing are not counted: nonce, session, sign-out, health', async () => {
    const { client, rateLimiter } = makeTestApp()
    const caller = client()
    await caller.signIn(K1)
    rateLimiter.state.taken.length = 0
    for (const path of ['/api/auth/nonce', '/api/auth/session', '/api/health']) await caller.get(path)
    await caller.post('/api/auth/logout')
    expect(rateLimiter.state.taken).toEqual([])
  })
})
