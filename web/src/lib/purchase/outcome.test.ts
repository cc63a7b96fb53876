import {
  ConnectionError,
  ProblemError,
  QuoteExpiredError,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { readProblem } from '@coinslot/client/problem'
import { describe, expect, it } from 'vitest'
import { outcomeOf } from './outcome.ts'
import { RefusalError } from './refusal.ts'

const refusal = (members: Record<string, unknown>) =>
  new ProblemError(readProblem({ code: 'some_code', ...members }, 503))

describe('outcomeOf', () => {
  it.each(['settled', 'in_flight', 'unknown'])(
    'behavior: a payment that is %s stays, whatever stopped the run',
    (paymentState) => {
      expect(outcomeOf(refusal({ paymentState }))).toMatchObject({ end: 'stopped', fate: 'open' })
    },
  )

  it('behavior: a payment that is unused may be forgotten; one that was not spoken of, only once it has lapsed', () => {
    expect(outcomeOf(refusal({ paymentState: 'unused' }))).toMatchObject({ end: 'stopped', fate: 'over' })
    expect(outcomeOf(refusal({}))).toMatchObject({ end: 'stopped', fate: 'told_nothing' })
  })

  it('error: inference_failed is the last word on a payment that settled', () => {
    expect(outcomeOf(refusal({ code: 'inference_failed', paymentState: 'settled' }))).toMatchObject({ fate: 'over' })
  })

  it('behavior: a run without an end keeps its payment, and says what the service said last', () => {
    const lost = new UnfinishedError('p', undefined, refusal({ code: 'csrf_failed', paymentState: 'unused' }))
    expect(outcomeOf(lost)).toMatchObject({ end: 'stopped', problem: { code: 'csrf_failed' }, fate: 'open' })
  })

  it('behavior: signed out or another signed in, a lapsed price, a refusal in the wallet and no connection are told apart', () => {
    expect(outcomeOf(new SignedOutError('p', undefined, refusal({})))).toEqual({ end: 'signed_out' })
    expect(outcomeOf(refusal({ code: 'payer_mismatch', paymentState: 'unused' }))).toEqual({ end: 'signed_out' })
    expect(outcomeOf(new QuoteExpiredError('x'))).toEqual({ end: 'lapsed' })
    expect(outcomeOf(new RefusalError('cancelled'))).toEqual({ end: 'unsigned', why: 'cancelled' })
    expect(outcomeOf(new ConnectionError('x'))).toMatchObject({ end: 'stopped', fate: 'open' })
  })
})
