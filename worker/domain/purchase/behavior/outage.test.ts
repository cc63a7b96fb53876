import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../../db/client.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { openService, requests, type Service, verdictOf } from '../../../../test/helpers/in-process-service.ts'
import { decodeHeader } from '../../../../test/helpers/sign-payment.ts'

const db = useDatabase()

type When = 'before' | 'after'

/** A database whose calls number `first` to `last`, counted from `arm` on, fail before or after they take effect. */
function makeFlaky(database: Database) {
  const state = { count: 0, first: Infinity, last: Infinity, when: 'before' as When }
  async function call<T>(work: () => Promise<T>): Promise<T> {
    state.count += 1
    const fails = state.count >= state.first && state.count <= state.last
    if (fails && state.when === 'before') throw new DatabaseUnavailable('it is away')
    const result = await work()
    if (fails) throw new DatabaseUnavailable('its answer was lost')
    return result
  }
  return {
    state,
    arm: (first: number, when: When, last = first) => Object.assign(state, { count: 0, first, last, when }),
    run: (...args: Parameters<Database['run']>) => call(() => database.run(...args)),
    batch: (...args: Parameters<Database['batch']>) => call(() => database.batch(...args)),
  }
}

async function open() {
  const flaky = makeFlaky(db.database)
  const service = openService(flaky)
  // The chain remembers what the facilitator did.
  const { script } = service.chain.state
  const mined = () => service.facilitator.state.settled.length > 0
  script.authorizationStatus = async () => ({ spent: mined(), blockTime: service.clock.now() })
  script.authorizationOutcome = async () => ({
    kind: 'transferred',
    transaction: `0x${'ab'.repeat(32)}`,
    logIndex: 0,
    blockTime: service.clock.now(),
    confirmations: 1,
  })
  const buyer = await service.openBuyer()
  const validBefore = String(Math.floor(service.clock.now().getTime() / 1000) + 800)
  const header = await buyer.signedPayment(requests.text, { validBefore })
  return { service, flaky, buyer, header }
}

const unsure = { status: 503, code: 'database_unavailable', paymentState: 'unknown', nextAction: 'retry_same_payment' }
const unknown = { status: 503, code: 'settlement_unknown', paymentState: 'unknown', nextAction: 'retry_same_payment' }
const pending = { status: 202, paymentState: 'settled', nextAction: 'poll' }
const served = { status: 200 }

type Run = 'ends at once' | 'takes time'

/** The first look at a run finds it running. */
function takeTime({ provider }: Service): void {
  const looked = new Set<string>()
  provider.state.plays = (prediction) => {
    if (looked.has(prediction.id)) return prediction
    looked.add(prediction.id)
    return { ...prediction, status: 'running', rawStatus: 'processing', output: null }
  }
}

describe('the database, away at one call of a purchase', () => {
  // 1 claim, 2 settled mark, then the record; the id of a run that takes time comes before its record.
  const rows: [call: number, when: When, run: Run, answer: object, settle: number, create: number][] = [
    [1, 'before', 'ends at once', unsure, 0, 0],
    [1, 'after', 'ends at once', unsure, 0, 0],
    [2, 'before', 'ends at once', unknown, 1, 0],
    [2, 'after', 'ends at once', unknown, 1, 0],
    [3, 'before', 'ends at once', pending, 1, 1],
    [3, 'after', 'ends at once', pending, 1, 1],
    [3, 'before', 'takes time', served, 1, 1],
    [3, 'after', 'takes time', served, 1, 1],
    [4, 'before', 'takes time', pending, 1, 1],
    [4, 'after', 'takes time', pending, 1, 1],
  ]
  it.each(rows)('behavior: call %i fails %s it took effect, the run %s', async (call, when, run, answer, ...calls) => {
    const [settle, create] = calls
    const { service, flaky, buyer, header } = await open()
    if (run === 'takes time') takeTime(service)
    flaky.arm(call, when)
    const got = await buyer.answer(requests.text, header)
    expect(verdictOf(got)).toEqual(answer)
    expect(service.calls()).toMatchObject({ settle, create })
    if (call === 2) expect(decodeHeader(got.headers.get('Payment-Response'))).toMatchObject({ success: true })

    // Leases end, the scheduled job runs, the client comes back.
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await service.time.advance(40_000)
      if (call > 1) await service.tick()
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
    const sums = await db.database.run(sql`select (select count(*)::int from inferences) as records,
      (select sum(succeeded)::int from model_sum_parts) as runs, (select sum(amount)::text from asset_sum_parts) as received`)
    expect(sums).toEqual([{ records: 1, runs: 1, received: '3000' }])
  })

  it('behavior: away from settlement on, a 202 is still a 202', async () => {
    const { service, flaky, buyer, header } = await open()
    flaky.arm(3, 'before', Infinity)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(pending)
    flaky.arm(Infinity, 'before')
    await service.time.advance(40_000)
    await service.tick()
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('error: settlement_unknown once the lease is over: another driver may have sent it', async () => {
    const { service, flaky, buyer, header } = await open()
    service.facilitator.state.verifies = async () => {
      service.clock.advance(40_000)
      expect((await buyer.answer(requests.text, header)).status).toBe(200)
      flaky.arm(1, 'before')
      return { kind: 'unavailable', detail: 'no answer' }
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(service.calls()).toMatchObject({ settle: 1, create: 1 })
  })

  it('behavior: a text that is there at once takes three calls, and its record has the run’s id', async () => {
    const { flaky, buyer, header } = await open()
    flaky.arm(4, 'before', Infinity)
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    flaky.arm(Infinity, 'before')
    const rows = await db.database.run(sql`select state, provider_prediction_id from payments`)
    expect(rows).toEqual([{ state: 'done', provider_prediction_id: 'prediction-1' }])
  })

  it('behavior: away for a stream, it still ends with an event', async () => {
    const { flaky, buyer, header } = await open()
    flaky.arm(3, 'before', Infinity)
    const events = await buyer.stream(requests.text, header)
    expect(events.map(({ event }) => event)).toEqual(['verified', 'settled', 'running', 'token', 'stored', 'pending'])
  })
})

describe('an unexpected error', () => {
  it('behavior: before anything was sent it is 500 without its cause', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.verifies = () => Promise.reject(new TypeError('secret words'))
    const answer = await buyer.answer(requests.text, header)
    expect(verdictOf(answer)).toMatchObject({ status: 500, code: 'internal_error' })
    expect(JSON.stringify(answer.body)).not.toContain('secret words')
  })

  it('behavior: once /settle may have left it is settlement_unknown', async () => {
    const { service, buyer, header } = await open()
    service.facilitator.state.settles = () => Promise.reject(new TypeError('secret words'))
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(unknown)
  })

  it('behavior: after settlement it is tried again', async () => {
    const { service, buyer, header } = await open()
    const { get } = service.provider
    service.provider.state.plays = () => {
      throw new TypeError('secret words')
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(pending)
    service.provider.state.plays = (prediction) => prediction
    service.provider.get = get
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await service.time.advance(10_000)
      await service.tick()
    }
    expect(verdictOf(await buyer.answer(requests.text, header))).toEqual(served)
    expect(service.calls()).toMatchObject({ create: 1 })
  })
})
