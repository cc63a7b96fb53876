import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../../test/helpers/sign-payment.ts'
import { ProviderError } from '../../../upstreams/provider/provider.ts'

const db = useDatabase()

const HOUR_MS = 3_600_000
const served = { status: 200 }
const rejected = { status: 402, code: 'payment_rejected', paymentState: 'unused', nextAction: 'sign_new_payment' }
const inProgress = { status: 409, code: 'payment_in_progress', nextAction: 'poll' }

async function open() {
  const service = openService(db.database)
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  return { service, buyer, header }
}

describe('the same payment again', () => {
  it('default: the stored outcome, after an hour and after a year, to the payer only', async () => {
    const { service, buyer, header } = await open()
    const first = await buyer.answer(requests.text, header)
    for (const ms of [HOUR_MS, 365 * 24 * HOUR_MS]) {
      service.clock.advance(ms)
      const again = await buyer.answer(requests.text, header)
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('Payment-Response')).toBe(first.headers.get('Payment-Response'))
    }
    expect(service.calls()).toEqual({ verify: 1, settle: 1, create: 1, put: 0 })
  })

  it('default: a failed outcome is the same failure', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.createError = new ProviderError('input', 'the provider answered 422')
    const first = await buyer.answer(requests.text, header)
    service.provider.state.createError = null
    const { requestId: _, ...body } = (await buyer.answer(requests.text, header)).body
    expect(first.body).toMatchObject(body)
    expect(service.calls()).toMatchObject({ settle: 1, create: 0 })
  })

  it('error: payment_used_for_other_request with another body, finished or not', async () => {
    const { buyer, header } = await open()
    await buyer.answer(requests.text, header)
    for (const prompt of ['another word', 'one word ']) {
      const body = { ...requests.text, input: { prompt } }
      expect(verdictOf(await buyer.answer(body, header))).toEqual({
        status: 409,
        code: 'payment_used_for_other_request',
        paymentState: 'settled',
        nextAction: 'fix_request',
      })
    }
  })

  it('behavior: the order of keys and blanks in the body make no other request', async () => {
    const { service, buyer, header } = await open()
    const { task, model, input } = requests.text
    await buyer.answer(requests.text, header)
    const text = `{ "input": ${JSON.stringify(input)},\n "model": "${model}", "task": "${task}" }`
    expect(verdictOf(await buyer.answer(text, header))).toEqual(served)
    expect(service.calls().create).toBe(1)
  })

  it('behavior: a replay needs no valid quote, no validity left and no model that is up', async () => {
    const { service, buyer, header } = await open()
    await buyer.answer(requests.text, header)
    service.clock.advance(HOUR_MS)
    service.facilitator.state.networks.clear()
    for (let failures = 0; failures < 3; failures += 1)
      service.deps.upstreams.recordFailure('provider', service.clock.now())
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
  })

  it('error: payment_in_progress with its place to look, while it runs', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.plays = (prediction) => ({ ...prediction, status: 'running', output: null })
    const first = await buyer.answer(requests.text, header, { Prefer: 'respond-async' })
    const again = await buyer.answer(requests.text, header)
    expect(verdictOf(again)).toEqual({ ...inProgress, paymentState: 'settled' })
    expect(again.body.statusUrl).toBe(`/api/inference/${first.body.id}`)
    expect(decodeHeader(again.headers.get('Payment-Response'))).toMatchObject({ success: true })
  })

  it('behavior: twenty copies at once: one settlement, one run', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.plays = (prediction) => {
      const ageMs = service.clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
      return ageMs < 5_000 ? { ...prediction, status: 'running', output: null } : prediction
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => buyer.answer(requests.text, header)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(service.calls()).toEqual({ verify: 1, settle: 1, create: 1, put: 0 })
  })
})

describe('a rejected payment', () => {
  async function reject() {
    const opened = await open()
    opened.service.facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'insufficient_funds' })
    expect(verdictOf(await opened.buyer.answer(requests.text, opened.header))).toEqual(rejected)
    opened.service.facilitator.state.verifies = async () => ({ kind: 'valid' })
    return opened
  }
  const rows = () => db.database.run(sql`select id::text, inference_id::text, created_at::text, state from payments`)

  it('behavior: the same payment and request may be claimed again, with id and first claim', async () => {
    const { service, buyer, header } = await reject()
    const [before] = await rows()
    service.clock.advance(5_000)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(await rows()).toEqual([{ ...before, state: 'done' }])
    expect(service.calls()).toEqual({ verify: 2, settle: 1, create: 1, put: 0 })
  })

  it('behavior: once it is no longer valid it is 402 again, with the stored reason', async () => {
    const { service, buyer, header } = await reject()
    service.clock.advance(70_000)
    const answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual(rejected)
    expect(answer.body['error']).toBe('insufficient_funds')
    expect(decodeHeader(answer.headers.get('Payment-Required'))).toMatchObject({ error: 'insufficient_funds' })
    expect(service.calls()).toMatchObject({ verify: 1, settle: 0 })
  })

  it('error: payment_used_for_other_request with another body even so', async () => {
    const { buyer, header } = await reject()
    const body = { ...requests.text, input: { prompt: 'another' } }
    expect(verdictOf(await buyer.answer(body, header))).toMatchObject({
      code: 'payment_used_for_other_request',
      paymentState: 'unused',
      nextAction: 'sign_new_payment',
    })
  })

  it('behavior: another sender submitted it after all: served when it comes again', async () => {
    const { service, buyer, header } = await reject()
    const { script } = service.chain.state
    script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
    script.authorizationOutcome = async () => ({
      kind: 'transferred',
      transaction: `0x${'ef'.repeat(32)}`,
      logIndex: 1,
      blockTime: service.clock.now(),
      confirmations: 1,
    })
    service.clock.advance(66_000)
    await service.tick()
    // The input was dropped with the rejection: this call brings it back, and the run starts a minute after the settled mark.
    expect(verdictOf(await buyer.answer(requests.text, header))).toMatchObject({ status: 202, paymentState: 'settled' })
    service.clock.advance(61_000)
    await service.tick()
    const answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toEqual(served)
    expect(answer.body['metrics']).toMatchObject({ paymentTxHash: `0x${'ef'.repeat(32)}` })
    expect(service.calls()).toMatchObject({ settle: 0, create: 1 })
  })
})

describe('the paid limit', () => {
  it('behavior: ten new payments a minute; replays are free, a second claim counts', async () => {
    const { service, buyer, header } = await open()
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    for (let paid = 1; paid < 10; paid += 1) await buyer.answer(requests.text, await buyer.signedPayment(requests.text))
    const validBefore = String(Math.floor(service.clock.now().getTime() / 1000) + 300)
    const eleventh = await buyer.signedPayment(requests.text, { validBefore })
    const limited = await buyer.answer(requests.text, eleventh)
    expect(verdictOf(limited)).toMatchObject({ status: 429, code: 'rate_limited', nextAction: 'wait_and_retry' })
    expect(limited.headers.get('Retry-After')).toBe('60')
    expect(limited.headers.get('RateLimit-Policy')).toBe('"paid";q=10;w=60')
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    const other = await service.openBuyer()
    expect(verdictOf(await other.answer(requests.text, await other.signedPayment(requests.text)))).toEqual(served)
    service.clock.advance(59_000)
    expect((await buyer.answer(requests.text, eleventh)).status).toBe(429)
    service.clock.advance(1_001)
    expect(verdictOf(await buyer.answer(requests.text, eleventh))).toEqual(served)
  })

  it('behavior: nothing is counted where limits are off', async () => {
    const service = openService(db.database, { config: makeTestConfig({ rateLimits: false }) })
    const buyer = await service.openBuyer()
    for (let paid = 0; paid < 12; paid += 1) {
      expect(verdictOf(await buyer.answer(requests.text, await buyer.signedPayment(requests.text)))).toEqual(served)
    }
  })
})
