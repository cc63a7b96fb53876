import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePaymentSignatureHeader } from '@x402/core/http'
import { extractPaymentIdentifier } from '@x402/extensions/payment-identifier'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fileBudget } from '../node/file-budget.ts'
import { openState } from '../node/state.ts'
import {
  done,
  problem,
  RESULT,
  recordingBudget,
  type Scripted,
  scriptedService,
  stream,
} from '../testing/scripted-service.ts'
import type { TypedPayment } from './account.ts'
import type { RunOptions } from './buyer.ts'
import { type CoinslotOptions, createCoinslot } from './coinslot.ts'
import { BudgetError, ConnectionError, ProblemError, SpendCapError, UnfinishedError } from './errors.ts'
import type { RunEvent } from './purchase/events.ts'
import { memoryStore } from './store.ts'

const request = { task: 'text-to-text', model: 'a/b', input: { prompt: 'hi' } } as const
const statusUrl = `/api/inference/${RESULT.id}`
const START = Date.parse('2026-07-01T10:00:00Z')

const unknown = problem(503, {
  code: 'settlement_unknown',
  paymentState: 'unknown',
  nextAction: 'retry_same_payment',
  statusUrl,
})
const rejected = problem(402, { code: 'payment_rejected', paymentState: 'unused', nextAction: 'sign_new_payment' })
const away = problem(503, { code: 'facilitator_unavailable', nextAction: 'wait_and_retry', retryAfterSeconds: 1 })

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})

/** A client of a scripted service, and everything it signed. */
function setUp(script: Scripted[], options: Partial<CoinslotOptions> = {}) {
  const service = scriptedService(script)
  const signed: TypedPayment[] = []
  const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const account = {
    address: signer.address,
    signMessage: signer.signMessage,
    signTypedData: (payment: TypedPayment) => {
      signed.push(payment)
      return signer.signTypedData(payment)
    },
  }
  const store = memoryStore()
  const coinslot = createCoinslot({ origin: 'https://a.example', account, store, fetch: service.fetch, ...options })
  return { ...service, signed, coinslot }
}

function never(): never {
  throw new Error('nothing is kept')
}

/** Runs to its end, however long it waits. */
async function end(coinslot: ReturnType<typeof setUp>['coinslot'], options: RunOptions = {}) {
  const events: RunEvent[] = []
  const run = coinslot.run(request, options)
  const reading = (async () => {
    for await (const event of run) events.push(event)
    return run.result()
  })().catch((error: unknown) => error)
  let isOver = false
  reading.finally(() => {
    isOver = true
  })
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
  return { outcome: await reading, events }
}

describe('one run, one signature', () => {
  const script: [string, Scripted[]][] = [
    ['an answer that was lost', ['cut', done]],
    ['an unknown settlement', [unknown, unknown, done]],
    ['an upstream service that is down', [away, done]],
    ['a proxy that answers in HTML', [{ status: 502, body: '<html>' }, done]],
    ['a stream that breaks off', [stream(['verified', {}], ['token', { text: 'he' }]), done]],
    [
      'a stream that ends with a passing problem',
      [stream(['error', { code: 'settlement_unknown', nextAction: 'retry_same_payment' }]), done],
    ],
    ['a session that has ended', [problem(401, { code: 'unauthenticated', nextAction: 'sign_in' }), done]],
    ['an expired CSRF token', [problem(403, { code: 'csrf_failed', nextAction: 'fix_request' }), done]],
  ]
  it.each(script)('behavior: the same payment is sent again after %s', async (_name, answers) => {
    const { coinslot, sent, signed } = setUp(answers)
    const { outcome } = await end(coinslot)
    expect(outcome).toEqual(RESULT)
    expect(sent).toHaveLength(answers.length)
    expect(new Set(sent).size).toBe(1)
    expect(signed).toHaveLength(1)
    expect(await coinslot.unfinished()).toEqual([])
  })

  it('behavior: a running or pending purchase is polled at its record', async () => {
    const pending = { id: RESULT.id, status: 'pending', nextAction: 'poll', paymentState: 'settled' }
    const { coinslot, sent, looks } = setUp([
      problem(409, { code: 'payment_in_progress', nextAction: 'poll', statusUrl }),
      { status: 200, body: pending, headers: { 'Retry-After': '2' } },
      'cut',
      { status: 200, body: { ...RESULT, task: 'text-to-text' } },
    ])
    const { outcome, events } = await end(coinslot)
    expect(outcome).toMatchObject({ id: RESULT.id, output: { type: 'text', text: 'hello' } })
    expect([sent.length, looks]).toEqual([1, [statusUrl, statusUrl, statusUrl]])
    expect(events.filter(({ event }) => event === 'pending')).toHaveLength(1)
  })

  it('behavior: a record that waits for its payment sends that payment again', async () => {
    const waiting = { id: RESULT.id, status: 'pending', paymentState: 'unknown', nextAction: 'retry_same_payment' }
    const { coinslot, sent } = setUp([
      { status: 202, body: { id: RESULT.id, status: 'pending' } },
      { status: 200, body: waiting },
      done,
    ])
    expect((await end(coinslot)).outcome).toEqual(RESULT)
    expect(new Set(sent).size).toBe(1)
  })

  it('behavior: a stream that starts over repeats no event', async () => {
    const { coinslot } = setUp([
      stream(
        ['verified', {}],
        ['settled', { id: RESULT.id, transaction: '0x1', network: 'eip155:8453' }],
        ['token', { text: 'hel' }],
      ),
      stream(
        ['settled', { id: RESULT.id, transaction: '0x1', network: 'eip155:8453' }],
        ['token', { text: 'hell' }],
        ['token', { text: 'o' }],
        ['result', RESULT],
      ),
    ])
    const { events } = await end(coinslot)
    expect(events.filter(({ event }) => event === 'settled')).toHaveLength(1)
    expect(events.map((event) => (event.event === 'token' ? event.text : '')).join('')).toBe('hello')
  })
})

describe('a second signature', () => {
  it('error: payment_rejected ends the run when no other payment is allowed', async () => {
    const { coinslot, signed } = setUp([rejected])
    const { outcome } = await end(coinslot)
    expect(outcome).toBeInstanceOf(ProblemError)
    expect(signed).toHaveLength(1)
  })

  it('behavior: where the caller allows it, one more is signed under another id, but no third', async () => {
    const { coinslot, signed, sent } = setUp([rejected, rejected])
    const { outcome, events } = await end(coinslot, { allowNewPayment: true })
    expect(outcome).toBeInstanceOf(ProblemError)
    expect(signed).toHaveLength(2)
    const kept = events.flatMap((event) => (event.event === 'signed' ? [event.paymentId] : []))
    expect(sent.map((header) => extractPaymentIdentifier(decodePaymentSignatureHeader(header)))).toEqual(kept)
    expect(new Set(kept).size).toBe(2)
  })

  it('behavior: the next run reuses a rejected payment while it is valid, then replaces it', async () => {
    const { coinslot, signed, sent } = setUp([rejected, rejected, rejected, done])
    await end(coinslot)
    await end(coinslot)
    expect([signed.length, new Set(sent).size]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(601_000)
    expect((await end(coinslot)).outcome).toEqual(RESULT)
    expect([signed.length, new Set(sent).size]).toEqual([2, 2])
  })

  it('behavior: a clock that runs ahead gets no second signature while the first is valid', async () => {
    let aheadMs = 0
    const service = scriptedService([rejected, rejected])
    const fetch: typeof service.fetch = async (...call) => {
      const response = await service.fetch(...call)
      response.headers.set('Cache-Control', 'no-store')
      response.headers.set('Date', new Date(Date.now() + aheadMs).toUTCString())
      return response
    }
    const { coinslot, signed } = setUp([], { fetch })
    await end(coinslot)
    aheadMs = 14 * 60_000
    expect((await end(coinslot)).outcome).toBeInstanceOf(ProblemError)
    expect([signed.length, (await coinslot.unfinished()).length]).toEqual([1, 1])
  })

  it('error: inference_failed is final: the next run for the same request pays again', async () => {
    const failed = problem(502, { code: 'inference_failed', paymentState: 'settled', nextAction: 'give_up' })
    const { coinslot, signed } = setUp([failed, done])
    expect((await end(coinslot)).outcome).toMatchObject({ problem: { code: 'inference_failed' } })
    expect((await end(coinslot)).outcome).toEqual(RESULT)
    expect(signed).toHaveLength(2)
  })
})

describe('giving up', () => {
  it('error: UnfinishedError after the last try; the payment is kept, and resume delivers', async () => {
    const { coinslot, signed } = setUp(['cut', 'cut', 'cut', done], { tries: 3 })
    const { outcome } = await end(coinslot)
    expect(outcome).toBeInstanceOf(UnfinishedError)
    const [kept] = await coinslot.unfinished()
    expect(outcome).toMatchObject({ paymentId: kept?.id })
    expect(await coinslot.resume(kept?.id ?? '').result()).toEqual(RESULT)
    expect(signed).toHaveLength(1)
  })

  it('error: UnfinishedError when the time is over while the service is still working', async () => {
    const pending: Scripted = { status: 202, body: { id: RESULT.id, status: 'pending' } }
    const { coinslot } = setUp(Array.from({ length: 20 }, () => pending))
    const { outcome } = await end(coinslot, { timeoutSeconds: 10 })
    expect(outcome).toMatchObject({ name: 'UnfinishedError', inferenceId: RESULT.id })
  })

  it('error: ConnectionError for an unreachable service before anything is signed', async () => {
    const { coinslot, signed } = setUp([], { tries: 2, fetch: () => Promise.reject(new TypeError('fetch failed')) })
    expect((await end(coinslot)).outcome).toBeInstanceOf(ConnectionError)
    expect(signed).toEqual([])
  })

  it('error: UnfinishedError for an unreachable service when a payment is kept', async () => {
    const { coinslot } = setUp(['cut', 'cut'], { tries: 2 })
    await end(coinslot)
    const [kept] = await coinslot.unfinished()
    const store = memoryStore()
    await store.save(kept ?? never())
    await store.release(kept?.id ?? '')
    const away = setUp([], { tries: 2, store, fetch: () => Promise.reject(new TypeError('fetch failed')) })
    expect((await end(away.coinslot)).outcome).toMatchObject({ name: 'UnfinishedError', paymentId: kept?.id })
  })

  it.each([
    ['a firewall that answers in its own words', Array(1).fill({ status: 403, body: '<html>' })],
    [
      'sessions that are always refused',
      Array(9).fill(problem(401, { code: 'unauthenticated', nextAction: 'sign_in' })),
    ],
  ])('error: UnfinishedError for %s: it says nothing about the payment', async (_name, script) => {
    const { coinslot, signed } = setUp(script)
    expect((await end(coinslot)).outcome).toBeInstanceOf(UnfinishedError)
    expect([signed.length, (await coinslot.unfinished()).length]).toEqual([1, 1])
  })

  it('behavior: a 404 for the record says nothing about the payment either', async () => {
    const hidden = problem(404, { code: 'inference_not_found', nextAction: 'fix_request' })
    const { coinslot, sent } = setUp([{ status: 202, body: { id: RESULT.id, status: 'pending' } }, hidden, done])
    expect((await end(coinslot)).outcome).toEqual(RESULT)
    expect(new Set(sent).size).toBe(1)
  })

  it.each([
    ['verified', [stream(['verified', {}], ['result', RESULT]), done]],
    ['signed', [done]],
  ])('behavior: leaving the events at %s keeps the payment, and the next run uses it', async (last, script) => {
    const { coinslot, signed } = setUp(script)
    for await (const { event } of coinslot.run(request)) if (event === last) break
    expect(await coinslot.unfinished()).toHaveLength(1)
    expect((await end(coinslot)).outcome).toEqual(RESULT)
    expect(signed).toHaveLength(1)
  })
})

describe('limits', () => {
  it('error: SpendCapError, and nothing is signed', async () => {
    const { coinslot, signed } = setUp([])
    expect((await end(coinslot, { maxUsdc: '0.009999' })).outcome).toBeInstanceOf(SpendCapError)
    expect(signed).toEqual([])
  })

  it('behavior: the budget is checked before the signature', async () => {
    const budget = { ...recordingBudget().budget, reserve: () => Promise.reject(new BudgetError('no')) }
    const { coinslot, signed } = setUp([], { budget })
    expect((await end(coinslot)).outcome).toBeInstanceOf(BudgetError)
    expect(signed).toEqual([])
  })

  it('error: BudgetError although the service says "unused": what was signed stays counted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'budget-'))
    const state = openState(join(folder, 'state.db'))
    const { coinslot, signed } = setUp(Array(60).fill(rejected), { budget: fileBudget(state, '0.03') })
    const outcomes: unknown[] = []
    for (let hour = 0; hour < 6; hour += 1) {
      outcomes.push((await end(coinslot)).outcome)
      await vi.advanceTimersByTimeAsync(3_600_000)
    }
    expect(outcomes.slice(3).map(String)).toEqual(Array(3).fill(expect.stringContaining('BudgetError')))
    expect(signed).toHaveLength(3)
    state.close()
    await rm(folder, { recursive: true })
  })
})
