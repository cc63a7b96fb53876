import {
  ConnectionError,
  ProblemError,
  QuoteExpiredError,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { readProblem } from '@coinslot/client/problem'
import { beforeAll, describe, expect, it } from 'vitest'
import { useMessages } from '../../messages/active.ts'
import { messages } from '../../messages/en.ts'
import { outcomeOf } from './outcome.ts'
import { RefusalError } from './refusal.ts'

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
    expect(outcomeOf(new RefusalError('cancelled'))).toEqual({ end: 'not_signed', why: 'cancelled', said: '' })
    expect(outcomeOf(new ConnectionError('x'))).toMatchObject({ end: 'stopped', payment: 'keep' })
  })
})
