import {
  ConnectionError,
  ProblemError,
  QuoteExpiredError,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { readProblem } from '@coinslot/client/problem'
import { beforeAll, describe, expect, it } from 'vitest'
import { isFinal } from '../../../../../client/src/purchase/policy.ts'
import problems from '../../generated/problems.json' with { type: 'json' }
import { useMessages } from '../../messages/active.ts'
import { messages } from '../../messages/en.ts'
import { readInference } from '../records/inference.ts'
import { beforePayment, eventAfterPayer, isOver, outcomeOf } from './outcome.ts'
import { RefusalError } from './refusal.ts'
import type { Purchase } from './states.ts'

const refusal = (members: Record<string, unknown>) =>
  new ProblemError(readProblem({ code: 'some_code', ...members }, 503))

beforeAll(() => useMessages({ messages }))

describe('outcomeOf', () => {
  it.each(['settled', 'in_flight', 'unknown'])('behavior: a payment that is %s is kept', (paymentState) => {
    expect(outcomeOf(refusal({ paymentState }))).toMatchObject({ end: 'stopped', payment: 'keep' })
  })

  it('behavior: an unused payment is forgotten; one without a state once it expired', () => {
    expect(outcomeOf(refusal({ paymentState: 'unused' }))).toMatchObject({ end: 'stopped', payment: 'forget' })
    expect(outcomeOf(refusal({}))).toMatchObject({ end: 'stopped', payment: 'forget_when_expired' })
  })

  it('error: inference_failed ends a payment that settled', () => {
    expect(outcomeOf(refusal({ code: 'inference_failed', paymentState: 'settled' }))).toMatchObject({
      payment: 'forget',
    })
  })

  it('behavior: an unfinished run keeps its payment and shows the last problem', () => {
    const lost = new UnfinishedError('p', undefined, refusal({ code: 'csrf_failed', paymentState: 'unused' }))
    expect(outcomeOf(lost)).toMatchObject({ end: 'stopped', problem: { code: 'csrf_failed' }, payment: 'keep' })
  })

  it('behavior: sign-out, other wallet, expired price, refusal and lost connection differ', () => {
    expect(outcomeOf(new SignedOutError('p', undefined, refusal({})))).toEqual({ end: 'signed_out' })
    expect(outcomeOf(refusal({ code: 'payer_mismatch', paymentState: 'unused' }))).toEqual({ end: 'signed_out' })
    expect(outcomeOf(new QuoteExpiredError('x'))).toEqual({ end: 'quote_expired' })
    expect(outcomeOf(new RefusalError('cancelled'))).toEqual({ end: 'not_signed', why: 'cancelled', walletMessage: '' })
    expect(outcomeOf(new ConnectionError('x'))).toMatchObject({ end: 'stopped', payment: 'keep' })
  })
})

it('error: B1 without a payment nothing was charged, and the service’s word comes first', () => {
  const lost = outcomeOf(new ConnectionError('x'))
  expect(lost.end === 'stopped' && beforePayment(lost.problem).paymentState).toBe('unused')
  expect(beforePayment(refusal({ paymentState: 'settled' }).problem).paymentState).toBe('settled')
})

/** Codes, the payment state that the service sends with them, and what the page says before and after the payment expired. */
const ENDS: [codes: string[], paymentState: string | undefined, before: string, after: string][] = [
  [
    [
      ...[
        'invalid_request',
        'invalid_payment_header',
        'model_not_found',
        'model_unavailable',
        'facilitator_unavailable',
      ],
      ...['payment_required', 'payment_rejected', 'quote_expired', 'tier_required', 'tier_unavailable', 'rate_limited'],
      ...['buyers_restricted', 'database_unavailable', 'internal_error', 'payment_used_for_other_request'],
    ],
    ...(['unused', 'unpaid', 'unpaid'] as const),
  ],
  // Answers before the call was read as a purchase, and those of other calls.
  [
    [
      ...['invalid_json', 'payload_too_large', 'unsupported_media_type', 'csrf_failed', 'not_found', 'not_admin'],
      ...['method_not_allowed', 'misconfigured', 'unsupported_chain', 'invalid_siwe_message', 'unauthenticated'],
      ...['invalid_signature', 'nonce_expired', 'nonce_used', 'inference_not_found', 'internal_error'],
    ],
    ...([undefined, 'kept', 'unsaid'] as const),
  ],
  [['payment_in_progress', 'payment_required'], 'in_flight', 'kept', 'kept'],
  [['payment_in_progress', 'payment_required', 'internal_error'], 'settled', 'kept', 'kept'],
  [['settlement_unknown', 'payer_mismatch', 'database_unavailable', 'internal_error'], 'unknown', 'kept', 'kept'],
  [['payer_mismatch'], 'unused', 'kept', 'kept'],
  [['inference_failed', 'payment_used_for_other_request'], 'settled', 'paid', 'paid'],
  [['inference_failed'], undefined, 'paid', 'paid'],
  [['payment_used_for_other_request'], 'in_flight', 'unsaid', 'unsaid'],
  [['payment_used_for_other_request'], 'unknown', 'unsaid', 'unsaid'],
]

/** The page's words about a purchase that ended with this problem, after its payer left. */
function textAfterPayer(code: string, paymentState: string | undefined, isExpired: boolean): string {
  const refused = refusal({ code, paymentState })
  const outcome = outcomeOf(refused)
  const kept = { validBefore: Date.now() / 1_000 + (isExpired ? -60 : 60) }
  // The library removes a final payment itself.
  const isKept = !isFinal(refused.problem) && (outcome.end !== 'stopped' || !isOver(kept, outcome.payment))
  const end: Purchase = { at: 'stopped', problem: refused.problem, payment: null, progress: null, draft: null }
  const event = eventAfterPayer('0xabc', isKept, end)
  return event?.type === 'payer_left' ? event.charge : 'kept'
}

describe('eventAfterPayer', () => {
  it.each(ENDS)(
    'behavior: after %j with the state %s the page says %s, and %s once it expired',
    (codes, state, ...said) => {
      for (const code of codes) {
        expect([code, textAfterPayer(code, state, false), textAfterPayer(code, state, true)]).toEqual([code, ...said])
      }
    },
  )

  it('default: the table has every problem; a result was paid; nothing ended, nothing is said', () => {
    const codes = new Set(ENDS.flatMap(([some]) => some))
    expect([...codes].toSorted()).toEqual(problems.map(({ code }) => code).toSorted())
    const inference = readInference({ id: 'i', status: 'succeeded' })
    const done = { at: 'done', inference, draft: null } as unknown as Purchase
    expect(eventAfterPayer('0xabc', false, done)).toEqual({ type: 'payer_left', payer: '0xabc', charge: 'paid' })
    expect(eventAfterPayer('0xabc', false, { at: 'idle', notice: null })).toBeNull()
  })
})
