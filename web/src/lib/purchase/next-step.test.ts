import { describe, expect, it } from 'vitest'
import { readProblem } from '../problem.ts'
import { backoffMs, moneyAtRisk, nextStep } from './next-step.ts'

const step = (status: number, members: Record<string, unknown>, attempt = 0) =>
  nextStep(readProblem({ code: 'x', ...members }, status), attempt)

describe('nextStep', () => {
  it.each([
    ['sign_in', { do: 'sign_in' }],
    ['sign_new_payment', { do: 'sign_again' }],
    ['retry_same_payment', { do: 'resend', afterMs: 1000 }],
    ['poll', { do: 'resend', afterMs: 2000 }],
    ['wait_and_retry', { do: 'resend', afterMs: 1000 }],
    ['fix_request', { do: 'stop' }],
    ['give_up', { do: 'stop' }],
  ])('default: %s is obeyed', (nextAction, expected) => {
    expect(step(503, { nextAction })).toEqual(expected)
  })

  it('behavior: the time the server asks for wins over our own', () => {
    expect(step(429, { nextAction: 'wait_and_retry', retryAfterSeconds: 30 })).toEqual({
      do: 'resend',
      afterMs: 30_000,
    })
    expect(step(503, { nextAction: 'poll', retryAfterSeconds: 5 })).toEqual({ do: 'resend', afterMs: 5000 })
  })

  it.each([
    [401, { do: 'sign_in' }],
    [402, { do: 'sign_again' }],
    [409, { do: 'resend', afterMs: 1000 }],
    [400, { do: 'stop' }],
    [500, { do: 'resend', afterMs: 1000 }],
    [504, { do: 'resend', afterMs: 1000 }],
  ])('behavior: an answer of %i without a next action is judged by its status', (status, expected) => {
    expect(step(status, {})).toEqual(expected)
  })

  it('behavior: an unknown next action of a later server is judged by the status too', () => {
    expect(step(503, { nextAction: 'do_a_dance' })).toEqual({ do: 'resend', afterMs: 1000 })
  })

  it('behavior: a failed run is final though its status is 502', () => {
    expect(step(502, { code: 'inference_failed' })).toEqual({ do: 'stop' })
  })

  it('behavior: a CSRF refusal is cured three times, then it is final', () => {
    expect(step(403, { code: 'csrf_failed' }, 2)).toEqual({ do: 'refresh_csrf' })
    expect(step(403, { code: 'csrf_failed' }, 3)).toEqual({ do: 'stop' })
  })
})

describe('backoffMs', () => {
  it('default: doubles up to fifteen seconds', () => {
    expect([0, 1, 2, 3, 4, 50].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000])
  })
})

describe('moneyAtRisk', () => {
  it('default: only an unused payment may be forgotten without an outcome', () => {
    const risk = (paymentState?: string) => moneyAtRisk(readProblem({ paymentState }, 503))
    expect(['settled', 'in_flight', 'unknown'].map(risk)).toEqual([true, true, true])
    expect(['unused', undefined].map(risk)).toEqual([false, false])
  })
})
