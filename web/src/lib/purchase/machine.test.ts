import { describe, expect, it } from 'vitest'
import { readProblem } from '../problem.ts'
import { readInference } from '../records/inference.ts'
import { type Bill, IDLE, type Purchase, type PurchaseEvent, step, type Wish } from './machine.ts'
import type { SignedPayment } from './payment-store.ts'

const wish: Wish = {
  task: 'text-to-image',
  model: 'm',
  modelName: 'M',
  input: {},
  estimatedSeconds: 10,
  shownUsdc: '0.010000',
}
const bill: Bill = {
  quote: { offers: [], resource: null, extensions: {}, expiresAt: null },
  chosen: 0,
  from: '0xabc',
  validBefore: 1,
}
const payment: SignedPayment = {
  payer: '0xabc',
  header: 'h',
  body: '{}',
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
  { type: 'need_wallet', wish },
  { type: 'need_sign_in', wish },
  { type: 'quoting', wish },
  { type: 'quoted', bill, remark: null },
]
const toPaying: PurchaseEvent[] = [...toReview, { type: 'signing', step: 'signature' }, { type: 'paying', payment }]
const stage = { kind: 'stage', transaction: null, network: null, log: null, seconds: null } as const

describe('step', () => {
  it('default: from the button to the result', () => {
    const inference = readInference({ id: 'i', status: 'succeeded', output: null, metrics: {} })
    const done = reach(...toPaying, { type: 'done', inference })
    expect(done).toMatchObject({ at: 'done', inference, wish })
  })

  it('behavior: a refusal in the wallet goes back to the sheet with the wish', () => {
    const state = reach(...toReview, { type: 'signing', step: 'signature' }, { type: 'unsigned', remark: 'cancelled' })
    expect(state).toMatchObject({ at: 'review', wish, bill, remark: 'cancelled' })
  })

  it('behavior: a quote that comes after the cancel changes nothing', () => {
    const state = reach(
      { type: 'quoting', wish },
      { type: 'dismiss', remark: 'cancelled' },
      { type: 'quoted', bill, remark: null },
    )
    expect(state).toEqual({ at: 'idle', remark: 'cancelled' })
  })

  it('behavior: nothing a person presses ends a payment on its way', () => {
    const paying = reach(...toPaying)
    const presses: PurchaseEvent[] = [
      { type: 'dismiss', remark: 'cancelled' },
      { type: 'dismiss', remark: null },
      { type: 'need_wallet', wish },
      { type: 'need_sign_in', wish },
      { type: 'quoting', wish },
    ]
    for (const press of presses) expect(step(paying, press)).toBe(paying)
  })

  it('behavior: stages never go back, and a stream followed again tells its text anew', () => {
    const state = reach(
      ...toPaying,
      { type: 'news', news: { ...stage, stage: 'settled', transaction: '0x1', network: 'eip155:1' } },
      { type: 'news', news: { kind: 'token', text: 'The sea' } },
      { type: 'news', news: { kind: 'connected' } },
      { type: 'news', news: { ...stage, stage: 'settled' } },
      { type: 'news', news: { kind: 'token', text: 'The sea is' } },
    )
    expect(state).toMatchObject({ progress: { stage: 'running', transaction: '0x1', text: 'The sea is' }, wait: null })
  })

  it('behavior: a wait is told until there is news', () => {
    const problem = readProblem({ code: 'rate_limited' }, 429)
    const waiting = reach(...toPaying, {
      type: 'news',
      news: { kind: 'waiting', reason: 'server', problem, afterMs: 1 },
    })
    expect(waiting).toMatchObject({ wait: { reason: 'server', problem: { code: 'rate_limited' } } })
    expect(step(waiting, { type: 'news', news: { ...stage, stage: 'verified' } })).toMatchObject({ wait: null })
  })
})
