import type { RunEvent } from '@coinslot/client/buyer'
import { readProblem } from '@coinslot/client/problem'
import { describe, expect, it } from 'vitest'
import { readInference } from '../records/inference.ts'
import { step } from './machine.ts'
import type { KeptPayment } from './payment-store.ts'
import {
  IDLE,
  type Purchase,
  type PurchaseEvent,
  type QuoteSelection,
  type RequestDraft,
  type Shown,
  shownAfter,
  withoutOutcome,
} from './states.ts'

const draft: RequestDraft = {
  task: 'text-to-image',
  model: 'm',
  modelName: 'M',
  input: {},
  estimatedSeconds: 10,
  shownUsdc: '0.010000',
}
const selection: QuoteSelection = {
  quote: {
    body: '{}',
    offers: [],
    resource: undefined,
    extensions: {},
    expiresAt: undefined,
    signIn: undefined,
    validBefore: 1,
  },
  chosen: 0,
  from: '0xabc',
}
const payment: KeptPayment = {
  id: 'p',
  origin: 'https://a.example',
  payer: '0xabc',
  header: 'h',
  body: '{}',
  network: 'eip155:1',
  asset: '0x1',
  amount: '10000',
  validBefore: 1,
  inferenceId: undefined,
  label: {
    model: 'm',
    modelName: 'M',
    task: 't',
    amount: '0.01',
    symbol: 'USDC',
    network: 'eip155:1',
    estimatedSeconds: 10,
  },
  signedAtMs: 0,
}

const reach = (...events: PurchaseEvent[]): Purchase => events.reduce(step, IDLE)
const toReview: PurchaseEvent[] = [
  { type: 'need_wallet', draft },
  { type: 'need_sign_in', draft },
  { type: 'quoting', draft },
  { type: 'quoted', selection, notice: null },
]
const toPaying: PurchaseEvent[] = [...toReview, { type: 'signing', step: 'signature' }, { type: 'paying', payment }]
const runEvent = (event: RunEvent): PurchaseEvent => ({ type: 'run_event', event })

describe('step', () => {
  it('default: from the button to the result', () => {
    const inference = readInference({ id: 'i', status: 'succeeded', output: null, metrics: {} })
    const done = reach(...toPaying, { type: 'done', inference })
    expect(done).toMatchObject({ at: 'done', inference, draft })
  })

  it('behavior: another tab’s payment is finished without the draft of this dialog', () => {
    const found: PurchaseEvent[] = [
      { type: 'dismiss', notice: null },
      { type: 'paying', payment },
    ]
    const state = reach(...toReview, { type: 'signing', step: 'chain' }, ...found)
    expect(state).toMatchObject({ at: 'paying', payment, draft: null })
  })

  it('behavior: a refusal in the wallet returns to the review with the draft', () => {
    const state = reach(
      ...toReview,
      { type: 'signing', step: 'signature' },
      { type: 'not_signed', notice: 'cancelled', walletMessage: '' },
    )
    expect(state).toMatchObject({ at: 'review', draft, selection, notice: 'cancelled' })
  })

  it('behavior: a quote that arrives after the cancel changes nothing', () => {
    const state = reach(
      { type: 'quoting', draft },
      { type: 'dismiss', notice: 'cancelled' },
      { type: 'quoted', selection, notice: null },
    )
    expect(state).toEqual({ at: 'idle', notice: 'cancelled' })
  })

  it('behavior: no action of the person ends a running payment', () => {
    const paying = reach(...toPaying)
    const presses: PurchaseEvent[] = [
      { type: 'dismiss', notice: 'cancelled' },
      { type: 'dismiss', notice: null },
      { type: 'need_wallet', draft },
      { type: 'need_sign_in', draft },
      { type: 'quoting', draft },
      { type: 'site_data_blocked', draft },
    ]
    for (const press of presses) expect(step(paying, press)).toBe(paying)
  })

  it('behavior: the next account reads where an outcome is, until it leaves too', () => {
    const inference = readInference({ id: 'i', status: 'succeeded', output: null, metrics: {} })
    const hint: PurchaseEvent = { type: 'payer_left', payer: '0xabc', charge: 'paid' }
    const paying = reach(...toPaying)
    expect(step(paying, hint)).toBe(paying)
    const gone = withoutOutcome(reach(...toPaying, { type: 'done', inference }))
    expect(gone).toBe(IDLE)
    expect(step(gone, hint)).toEqual({ at: 'payer_left', payer: '0xabc', charge: 'paid' })
    expect(withoutOutcome(step(gone, hint))).toBe(IDLE)
  })

  it('behavior: an end that keeps the payment waits for its payer, with or without a session', () => {
    const problem = readProblem({ code: 'settlement_unknown', paymentState: 'unknown' }, 503)
    const stopped = reach(...toPaying, { type: 'stopped', problem })
    const kept: PurchaseEvent = { type: 'awaiting_sign_in', payer: '0xabc' }
    expect(step(stopped, kept)).toEqual({ at: 'awaiting_sign_in', payer: '0xabc' })
    expect(step(withoutOutcome(stopped), kept)).toEqual({ at: 'awaiting_sign_in', payer: '0xabc' })
  })

  it('behavior: stages never go back, and the text grows with each token', () => {
    const state = reach(
      ...toPaying,
      runEvent({ event: 'settled', id: 'i', transaction: '0x1', network: 'eip155:1' }),
      runEvent({ event: 'token', text: 'The sea' }),
      runEvent({ event: 'connected' }),
      runEvent({ event: 'verified' }),
      runEvent({ event: 'token', text: ' is' }),
    )
    expect(state).toMatchObject({ progress: { stage: 'running', transaction: '0x1', text: 'The sea is' }, wait: null })
  })

  it('behavior: the last log line that is not blank is shown', () => {
    const running = runEvent({ event: 'running', logs: 'loading\nstep 3 of 4 \n\n', seconds: 2.5 })
    expect(reach(...toPaying, running)).toMatchObject({ progress: { log: 'step 3 of 4', seconds: 2.5 } })
    const emoji = runEvent({ event: 'running', logs: `a${'😀'.repeat(150)}`, seconds: 2.5 })
    expect(reach(...toPaying, emoji)).toMatchObject({ progress: { log: `a${'😀'.repeat(99)}` } })
  })

  it('behavior: a wait shows the service’s problem until the next event', () => {
    const problem = readProblem({ code: 'rate_limited' }, 429)
    const waiting = reach(...toPaying, runEvent({ event: 'again', why: 'x', waitMs: 1, problem }))
    expect(waiting).toMatchObject({ wait: { reason: 'server', problem: { code: 'rate_limited' } } })
    const lost = step(waiting, runEvent({ event: 'again', why: 'x', waitMs: 1 }))
    expect(lost).toMatchObject({ wait: { reason: 'connection', problem: null } })
    expect(step(lost, runEvent({ event: 'connected' }))).toMatchObject({ wait: null })
  })
})

describe('shownAfter', () => {
  const inference = readInference({ id: 'i', status: 'succeeded', output: null, metrics: {} })
  const done = reach(...toPaying, { type: 'done', inference })
  const failed = reach(...toPaying, { type: 'stopped', problem: readProblem({ code: 'inference_failed' }, 502) })
  const offline = (from: Purchase): Purchase =>
    [{ type: 'quoting', draft } as const, { type: 'stopped', problem: readProblem({}, 0) } as const].reduce(step, from)
  const show = (owner: string | null, ...states: Purchase[]): Shown | null =>
    states.reduce<Shown | null>((before, now) => shownAfter(before, now, owner), null)

  it.each([
    ['a result', done],
    ['a charged, failed run', failed],
  ])('error: B1 %s stays when the next purchase stops before its payment, also twice', (_, end) => {
    const next = offline(end)
    expect(show('0xABC', end, next)).toMatchObject({ at: 'stopped', payment: null, earlier: { at: end.at, payment } })
    expect(show('0xABC', end, next, IDLE, offline(IDLE))).toMatchObject({ at: 'stopped', earlier: { at: end.at } })
    expect(show('0xABC', end, next, { at: 'quoting', draft })).toMatchObject({ earlier: { at: end.at } })
  })

  it('error: B1 the earlier result goes with its payer, and with the next signed purchase', () => {
    const both = show('0xABC', done, offline(done))
    expect(shownAfter(both, IDLE, null)).toBeNull()
    expect(shownAfter(both, offline(IDLE), '0xdef')).toMatchObject({ at: 'stopped', earlier: null })
    expect(shownAfter(both, reach(...toPaying), '0xabc')).toMatchObject({ at: 'paying' })
    expect(show('0xabc', done, failed)).toMatchObject({ at: 'stopped', payment, earlier: null })
  })
})
