import {
  ConnectionError,
  ProblemError,
  QuoteExpiredError,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { readProblem } from '@coinslot/client/problem'
import { describe, expect, it } from 'vitest'
import { endingOf } from './ending.ts'
import { NotSigned } from './not-signed.ts'

const refusal = (members: Record<string, unknown>) =>
  new ProblemError(readProblem({ code: 'some_code', ...members }, 503))

describe('endingOf', () => {
  it.each(['settled', 'in_flight', 'unknown'])(
    'behavior: a payment that is %s stays, whatever stopped the run',
    (paymentState) => {
      expect(endingOf(refusal({ paymentState }))).toMatchObject({ end: 'stopped', fate: 'open' })
    },
  )

  it('behavior: a payment that is unused may be forgotten; one that was not spoken of, only once it has lapsed', () => {
    expect(endingOf(refusal({ paymentState: 'unused' }))).toMatchObject({ end: 'stopped', fate: 'over' })
    expect(endingOf(refusal({}))).toMatchObject({ end: 'stopped', fate: 'told_nothing' })
  })

  it('error: inference_failed is the last word on a payment that settled', () => {
    expect(endingOf(refusal({ code: 'inference_failed', paymentState: 'settled' }))).toMatchObject({ fate: 'over' })
  })

  it('behavior: a run without an end keeps its payment, and says what the service said last', () => {
    const lost = new UnfinishedError('p', undefined, refusal({ code: 'csrf_failed', paymentState: 'unused' }))
    expect(endingOf(lost)).toMatchObject({ end: 'stopped', problem: { code: 'csrf_failed' }, fate: 'open' })
  })

  it('behavior: signed out or another signed in, a lapsed price, a refusal in the wallet and no connection are told apart', () => {
    expect(endingOf(new SignedOutError('p', undefined, refusal({})))).toEqual({ end: 'signed_out' })
    expect(endingOf(refusal({ code: 'payer_mismatch', paymentState: 'unused' }))).toEqual({ end: 'signed_out' })
    expect(endingOf(new QuoteExpiredError('x'))).toEqual({ end: 'lapsed' })
    expect(endingOf(new NotSigned('cancelled'))).toEqual({ end: 'unsigned', why: 'cancelled' })
    expect(endingOf(new ConnectionError('x'))).toMatchObject({ end: 'stopped', fate: 'open' })
  })
})
