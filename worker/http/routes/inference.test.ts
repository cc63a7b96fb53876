import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../db/client.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests, type Service, verdictOf } from '../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../test/helpers/sign-payment.ts'
import { ProviderError } from '../../upstreams/provider/provider.ts'

const db = useDatabase()

async function open(database: Database = db.database) {
  const service = openService(database)
  const buyer = await service.openBuyer()
  const header = await buyer.signedPayment(requests.text)
  return { service, buyer, header }
}

/** Runs take so long, and show their words one by one. */
function runFor(service: Service, ms: number): void {
  const words = ['it ', 'is ', 'the ', 'sky']
  service.provider.state.plays = (prediction) => {
    const age = service.clock.now().getTime() - (prediction.createdAt?.getTime() ?? 0)
    const output = words.slice(0, Math.ceil((words.length * Math.min(age, ms)) / ms))
    return age < ms ? { ...prediction, status: 'running', rawStatus: 'processing', output } : { ...prediction, output }
  }
}

const pending = { status: 202, paymentState: 'settled', nextAction: 'poll' }
const namesOf = (events: { event: string }[]): string[] =>
  events.map(({ event }) => event).filter((event, at, all) => event !== all[at - 1])

describe('Prefer: respond-async', () => {
  it('default: 202 with Location right after settlement, and the run continues', async () => {
    const { service, buyer, header } = await open()
    runFor(service, 20_000)
    const arrivedAt = service.clock.now().getTime()
    const answer = await buyer.answer(requests.text, header, { Prefer: 'respond-async' })
    expect(verdictOf(answer)).toEqual(pending)
    expect(service.clock.now().getTime()).toBe(arrivedAt)
    expect(answer.headers.get('Location')).toBe(`/api/inference/${answer.body.id}`)
    expect(decodeHeader(answer.headers.get('Payment-Response'))).toMatchObject({ success: true })
    const standing = await buyer.status(String(answer.body.id))
    expect(standing.body).toMatchObject({ status: 'pending', paymentState: 'settled', nextAction: 'poll' })
    expect(standing.headers.get('Retry-After')).toBe('2')
    await service.finish()
    expect((await buyer.status(String(answer.body.id))).body).toMatchObject({
      status: 'succeeded',
      output: { type: 'text', text: 'it is the sky' },
    })
  })

  it('behavior: before settlement there is nothing to promise: a refusal is a refusal', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'refused', reason: 'insufficient_funds' })
    const answer = await buyer.answer(requests.text, header, { Prefer: 'respond-async' })
    expect(answer.status).toBe(402)
  })
})

describe('the event stream', () => {
  it('default: verified, settled, running, tokens as they come, stored, result', async () => {
    const { service, buyer, header } = await open()
    runFor(service, 3_000)
    const events = await buyer.stream(requests.text, header)
    expect(new Set(namesOf(events))).toEqual(new Set(['verified', 'settled', 'running', 'token', 'stored', 'result']))
    expect(namesOf(events).slice(0, 3)).toEqual(['verified', 'settled', 'running'])
    expect(namesOf(events).slice(-2)).toEqual(['stored', 'result'])
    const text = events.filter(({ event }) => event === 'token').map(({ data }) => (data as { text: string }).text)
    expect(text.length).toBeGreaterThan(1)
    expect(text.join('')).toBe('it is the sky')
    const settled = events.find(({ event }) => event === 'settled')
    expect(settled?.data).toMatchObject({ network: 'eip155:84532', transaction: expect.stringMatching(/^0x/) })
    expect(events.at(-1)?.data).toMatchObject({ status: 'succeeded', output: { text: 'it is the sky' } })
  })

  it('behavior: a no of /verify is an ordinary 402', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'insufficient_funds' })
    const answer = await buyer.answer(requests.text, header, { Accept: 'text/event-stream' })
    expect(answer.status).toBe(402)
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
  })

  it('behavior: a no of /settle ends the stream as an error', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'refused', reason: 'insufficient_funds' })
    const events = await buyer.stream(requests.text, header)
    expect(namesOf(events)).toEqual(['verified', 'error'])
    expect(events.at(-1)?.data).toMatchObject({ status: 402, code: 'payment_rejected', paymentState: 'unused' })
  })

  it('behavior: an unknown settlement ends the stream as settlement_unknown', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 502' })
    const events = await buyer.stream(requests.text, header)
    expect(events.at(-1)?.data).toMatchObject({ status: 503, code: 'settlement_unknown' })
  })

  it('behavior: it wins over Prefer, and a finished purchase is settled and its end at once', async () => {
    const { service, buyer, header } = await open()
    await buyer.answer(requests.text, header)
    const response = await buyer.pay(requests.text, header, { Accept: 'text/event-stream', Prefer: 'respond-async' })
    expect(response.headers.get('Content-Type')).toContain('text/event-stream')
    expect(namesOf(await buyer.stream(requests.text, header))).toEqual(['settled', 'result'])
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a failed run ends it as inference_failed', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.createError = new ProviderError('input', 'the provider answered 422')
    const events = await buyer.stream(requests.text, header)
    expect(namesOf(events)).toEqual(['verified', 'settled', 'error'])
    expect(events.at(-1)?.data).toMatchObject({ status: 502, code: 'inference_failed' })
  })

  it('behavior: a later try is due: it ends as pending', async () => {
    const { service, buyer, header } = await open()
    service.provider.state.createError = new ProviderError('unavailable', 'the provider answered 503')
    const events = await buyer.stream(requests.text, header)
    expect(namesOf(events)).toEqual(['verified', 'settled', 'pending'])
    expect(events.at(-1)?.data).toMatchObject({
      status: 'pending',
      statusUrl: expect.stringContaining('/api/inference/'),
    })
  })

  it('behavior: after 10 minutes it ends as pending; the same header follows the run to its end', async () => {
    const { service, buyer, header } = await open()
    runFor(service, 11 * 60_000)
    const arrivedAt = service.clock.now().getTime()
    const events = await buyer.stream(requests.text, header)
    expect(events.at(-1)?.event).toBe('pending')
    expect((service.clock.now().getTime() - arrivedAt) / 1000).toBeCloseTo(600, -1)
    const again = await buyer.stream(requests.text, header)
    expect(namesOf(again).slice(0, 1)).toEqual(['settled'])
    expect(again.at(-1)?.event).toBe('result')
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: the same header follows a purchase that another call drives', async () => {
    const { service, buyer, header } = await open()
    runFor(service, 30_000)
    const first = buyer.stream(requests.text, header)
    const second = buyer.stream(requests.text, header)
    const [a, b] = await Promise.all([first, second])
    expect(a.at(-1)).toMatchObject({ event: 'result' })
    expect(b.at(-1)).toEqual(a.at(-1))
    expect(namesOf(b)).toContain('token')
    expect(service.calls()).toEqual({ verify: 1, settle: 1, create: 1, put: 0 })
  })

  it('behavior: a follower takes over when the driver it followed is gone', async () => {
    const { service, buyer, header } = await open()
    // The driver's call of the provider never ends: as if its worker had been killed.
    const { create } = service.provider
    service.provider.create = (request) => create(request).then(() => new Promise(() => undefined))
    const lost = buyer.answer(requests.text, header, { Prefer: 'respond-async' })
    await lost
    service.provider.create = create
    const events = await buyer.stream(requests.text, header)
    expect(namesOf(events)).toEqual(['settled', 'running', 'token', 'stored', 'result'])
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a follower survives a database that is away for a while', async () => {
    const away = { is: false }
    const guard = <T>(work: () => Promise<T>): Promise<T> =>
      away.is ? Promise.reject(new DatabaseUnavailable('it is away')) : work()
    const { service, buyer, header } = await open({
      run: (...args) => guard(() => db.database.run(...args)),
      batch: (...args) => guard(() => db.database.batch(...args)),
    })
    runFor(service, 30_000)
    const first = buyer.stream(requests.text, header)
    const second = buyer.stream(requests.text, header)
    service.deps.sleep(5_000).then(() => {
      away.is = true
    })
    service.deps.sleep(15_000).then(() => {
      away.is = false
    })
    const [a, b] = await Promise.all([first, second])
    expect([a.at(-1)?.event, b.at(-1)?.event]).toEqual(['result', 'result'])
  })

  it('behavior: a client that leaves changes nothing for the purchase', async () => {
    const { service, buyer, header } = await open()
    runFor(service, 20_000)
    const response = await buyer.pay(requests.text, header, { Accept: 'text/event-stream' })
    await response.body?.cancel()
    await service.finish()
    const answer = await buyer.answer(requests.text, header)
    expect(answer.body).toMatchObject({ status: 'succeeded', output: { text: 'it is the sky' } })
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })
})

describe('GET /api/inference/:id', () => {
  it('behavior: only its owner sees it', async () => {
    const { service, buyer, header } = await open()
    const { body } = await buyer.answer(requests.text, header)
    const stranger = await service.openBuyer()
    expect(verdictOf(await stranger.status(String(body.id)))).toMatchObject({
      status: 404,
      code: 'inference_not_found',
    })
    expect(await stranger.status('no-uuid').then(verdictOf)).toMatchObject({ status: 404, code: 'inference_not_found' })
    expect((await buyer.status(String(body.id))).body).toMatchObject({
      status: 'succeeded',
      task: 'text-to-text',
      input: { prompt: 'one word' },
      createdAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
    })
  })

  it('behavior: unknown, then paid: the status call finishes it, a HEAD never does', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 502' })
    const { body } = await buyer.answer(requests.text, header)
    const id = String(body.statusUrl).split('/').at(-1) ?? ''
    expect((await buyer.status(id)).body).toMatchObject({
      status: 'pending',
      paymentState: 'unknown',
      nextAction: 'retry_same_payment',
    })
    const { script } = service.chain.state
    script.authorizationStatus = async () => ({ spent: true, blockTime: service.clock.now() })
    script.authorizationOutcome = async () => ({
      kind: 'transferred',
      transaction: `0x${'cd'.repeat(32)}`,
      logIndex: 1,
      blockTime: service.clock.now(),
      confirmations: 1,
    })
    service.clock.advance(12_000)
    await service.time.run(Promise.resolve(buyer.call(`/api/inference/${id}`, { method: 'HEAD' })))
    await service.finish()
    expect(service.calls().create).toBe(0)
    await buyer.status(id)
    await service.finish()
    expect(service.calls().create).toBe(1)
    expect((await buyer.status(id)).body).toMatchObject({ status: 'succeeded' })
  })

  it('behavior: a stuck purchase is driven at most once per 2 s', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = async () => ({ kind: 'unknown', reason: 'status 502' })
    const { body } = await buyer.answer(requests.text, header)
    const id = String(body.statusUrl).split('/').at(-1) ?? ''
    service.clock.advance(12_000)
    service.chain.state.calls.length = 0
    await Promise.all([buyer.status(id), buyer.status(id), buyer.status(id)])
    await buyer.status(id)
    await service.finish()
    expect(service.chain.state.calls).toEqual(['authorizationStatus'])
  })

  it('behavior: rejected is failed, and the money unused', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.verifies = async () => ({ kind: 'invalid', reason: 'insufficient_funds' })
    await buyer.answer(requests.text, header)
    const [row] = await db.database.run(sql`select inference_id::text as id from payments`)
    const answer = await buyer.status(String(row?.['id']))
    expect(answer.body).toMatchObject({
      status: 'failed',
      paymentState: 'unused',
      nextAction: 'sign_new_payment',
      error: { code: 'payment_rejected', detail: 'insufficient_funds' },
    })
  })

  it('behavior: a claim whose time is over by our clock alone is not called unpaid', async () => {
    const { service, buyer, header } = await open()
    const mined = service.clock.now()
    service.facilitator.state.verifies = async () => ({ kind: 'unavailable', detail: 'status 503' })
    await buyer.answer(requests.text, header)
    const [row] = await db.database.run(sql`select inference_id::text as id from payments`)
    const id = String(row?.['id'])
    service.chain.state.script.authorizationStatus = async () => ({ spent: false, blockTime: mined })
    service.clock.advance(120_000)
    await buyer.status(id)
    await service.finish()
    expect((await buyer.status(id)).body).toMatchObject({ status: 'pending', nextAction: 'poll' })
    service.chain.state.script.authorizationStatus = async () => ({ spent: false, blockTime: service.clock.now() })
    service.clock.advance(120_000)
    await buyer.status(id)
    await service.finish()
    expect((await buyer.status(id)).body).toMatchObject({ status: 'failed', paymentState: 'unused' })
  })
})
