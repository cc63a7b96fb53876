import { describe, expect, it } from 'vitest'
import type { Database, Row } from '../../../../db/client.ts'
import { fromServerReport } from '../../../../db/errors.ts'
import { makeTestConfig } from '../../../../test/helpers/config.ts'
import { useDatabase } from '../../../../test/helpers/in-process-database.ts'
import { type Answer, openService, requests } from '../../../../test/helpers/in-process-service.ts'
import { journalRowIn } from '../../../../test/helpers/journal-rows.ts'
import { decodeHeader } from '../../../../test/helpers/sign-payment.ts'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(40).fill(0)])

const db = useDatabase()

/** Every class of SQLSTATE that PostgreSQL has. */
const CLASSES =
  '00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B 3D 3F 40 42 44 53 54 55 57 58 72 F0 HV P0 XX'
const CODES = [...CLASSES.split(' ').map((name) => `${name}000`), '25006', '40P01', '25P02', '55P03', '55006', '0A000']
const withCode = (code: string): Error => fromServerReport({ code, message: 'no' })
/** Those that the code distinguishes: a refused statement, an outage, one that wrote nothing, and bugs. */
const KINDS = [
  ...['08000', '25006', '23505', '23502'].map(withCode),
  new Error('a bug'),
  new TypeError('undefined is not a function'),
]

/** The calls of a purchase after its settled mark, in order. */
const ARROWS = ['create', 'tie', 'poll', 'file', 'object', 'record']

/** Fails calls from the settled mark on: only call number `from`, or that one and all later ones. */
function makeBreaker() {
  const state = { settled: false, count: 0, from: Infinity, stays: false, error: new Error() }
  async function call<T>(work: () => Promise<T>): Promise<T> {
    if (!state.settled) return work()
    state.count += 1
    if (state.count === state.from || (state.stays && state.count > state.from)) throw state.error
    return work()
  }
  const seen = (rows: Row[]): Row[] => {
    if (journalRowIn(rows[0])?.payment['state'] === 'settled') state.settled = true
    return rows
  }
  return { state, call, seen }
}

async function open() {
  const { state, call, seen } = makeBreaker()
  const database: Database = {
    run: async (...args) => seen(await call(() => db.database.run(...args))),
    batch: (...args) => call(() => db.database.batch(...args)),
  }
  const service = openService(database, { config: makeTestConfig({ rateLimits: false }) })
  service.provider.state.output = ['https://files.example/a']
  service.provider.state.files.set('https://files.example/a', PNG)
  const { create, get, openFile } = service.provider
  service.provider.create = (request) => call(async () => ({ ...(await create(request)), status: 'running' as const }))
  service.provider.get = (id) => call(() => get(id))
  service.provider.openFile = (url) => call(() => openFile(url))
  const { put } = service.store
  service.store.put = (...args) => call(() => put(...args))
  const buyer = await service.openBuyer()
  /** A paid call whose call number `from` after the mark fails. */
  async function pay(change: { from: number; stays: boolean; error: Error }, headers?: Record<string, string>) {
    // Not part of the call: what continues after the answer of the one before.
    await service.finish()
    // Upstreams that failed in a row are asked again after 30 s.
    service.clock.advance(31_000)
    Object.assign(state, { settled: false, count: 0, from: Infinity })
    const header = await buyer.signedPayment(requests.image)
    Object.assign(state, change)
    return { header, answer: () => buyer.answer(requests.image, header, headers) }
  }
  return { service, buyer, state, pay }
}

/** Checks that an answer says that the payment is settled, and where the purchase can be followed. */
function assertSaysSettled({ status, body, headers }: Answer): void {
  expect([200, 202, 502]).toContain(status)
  const paid = decodeHeader(headers.get('Payment-Response'))
  expect(paid).toMatchObject({ success: true, network: 'eip155:84532' })
  if (status === 200) return
  expect(body).toMatchObject({ paymentState: 'settled', statusUrl: expect.stringMatching(/^\/api\/inference\//) })
}

describe('once settled, every answer says so', () => {
  it('default: the arrows of a purchase after its settled mark are these', async () => {
    const { pay, state } = await open()
    const { answer } = await pay({ from: Infinity, stays: false, error: new Error() })
    expect((await answer()).status).toBe(200)
    expect(state.count).toBe(ARROWS.length)
  })

  it.each(ARROWS.map((arrow, index) => [arrow, index + 1] as const))(
    'error: any at "%s" and all later calls',
    async (_arrow, from) => {
      const { pay } = await open()
      // A purchase for each pair of code and call would take minutes: each kind comes at each call, each code at one.
      const ofThisCall = CODES.filter((_, index) => index % ARROWS.length === from - 1).map(withCode)
      for (const error of [...KINDS, ...ofThisCall]) {
        assertSaysSettled(await (await pay({ from, stays: true, error })).answer())
      }
    },
  )

  it.each(ARROWS.map((arrow, index) => [arrow, index + 1] as const))(
    'error: any at "%s" alone',
    async (_arrow, from) => {
      const { pay } = await open()
      const unavailable = fromServerReport({ code: '25006', message: 'read-only' })
      for (const error of [unavailable, fromServerReport({ code: '23502', message: 'null' }), new Error('a bug')]) {
        assertSaysSettled(await (await pay({ from, stays: false, error })).answer())
      }
    },
  )

  it.each(ARROWS.map((arrow, index) => [arrow, index + 1] as const))(
    'error: any at "%s" of a stream ends it with its payment',
    async (_arrow, from) => {
      const { service, buyer, pay } = await open()
      for (const error of [fromServerReport({ code: '23502', message: 'null' }), new Error('a bug')]) {
        const { header } = await pay({ from, stays: true, error })
        const events = await buyer.stream(requests.image, header)
        expect(events.map(({ event }) => event)).toContain('settled')
        expect(events.at(-1)).toMatchObject({ event: 'pending', data: { paymentState: 'settled' } })
        service.clock.advance(60_000)
      }
    },
  )

  it.each(KINDS.slice(-3))('error: %s while a settled payment is looked up says that it may be paid', async (error) => {
    const { service, buyer, pay } = await open()
    const { header, answer } = await pay({ from: Infinity, stays: false, error: new Error() })
    assertSaysSettled(await answer())
    service.deps.database.run = () => Promise.reject(error)
    const { status, body } = await buyer.answer(requests.image, header)
    expect([500, 503]).toContain(status)
    expect(body).toMatchObject({ paymentState: 'unknown', nextAction: 'retry_same_payment' })
  })

  it('behavior: a settled payment is answered though its price cannot be worked out', async () => {
    const { service, buyer, pay } = await open()
    const { header, answer } = await pay({ from: Infinity, stays: false, error: new Error() })
    assertSaysSettled(await answer())
    service.clock.advance(3_600_000)
    service.facilitator.supportedNetworks = () => Promise.reject(new Error('a bug'))
    expect((await buyer.answer(requests.image, header)).status).toBe(200)
  })
})
