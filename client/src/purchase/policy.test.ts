import { describe, expect, it } from 'vitest'
import { readProblem } from '../errors.ts'
import { nextStep, type Step } from './policy.ts'

const problem = (members: Record<string, unknown>, status = 503) =>
  readProblem({ code: 'some_code', ...members }, status)

describe('what a problem with a signed payment in hand leads to', () => {
  const byAction: [string, number, Record<string, unknown>, Step][] = [
    ['sign_in', 400, {}, 'prove_again'],
    ['sign_in', 401, {}, 'prove_again'],
    ['sign_in', 402, {}, 'prove_again'],
    ['sign_in', 403, {}, 'stop'],
    ['retry_same_payment', 503, {}, 'send_again'],
    ['wait_and_retry', 429, {}, 'send_again'],
    ['poll', 409, { statusUrl: '/api/inference/a' }, 'poll'],
    ['poll', 409, {}, 'send_again'],
    ['sign_new_payment', 402, { paymentState: 'unused' }, 'stop'],
    ['fix_request', 400, {}, 'stop'],
    ['give_up', 502, {}, 'stop'],
  ]
  it.each(byAction)('default: %s with %i', (nextAction, status, members, step) => {
    expect(nextStep(problem({ nextAction, ...members }, status), false)).toBe(step)
  })

  const allowed: [string | undefined, Step][] = [
    ['unused', 'sign_new'],
    ['unknown', 'stop'],
    ['in_flight', 'stop'],
    ['settled', 'stop'],
    [undefined, 'stop'],
  ]
  it.each(allowed)(
    'behavior: where allowed, another payment is signed only if the first is unused: %s',
    (paymentState, step) => {
      expect(nextStep(problem({ nextAction: 'sign_new_payment', paymentState }, 402), true)).toBe(step)
    },
  )

  it('behavior: an expired CSRF token is renewed, whatever the problem advises', () => {
    expect(nextStep(problem({ code: 'csrf_failed', nextAction: 'fix_request' }, 403), false)).toBe('prove_again')
  })

  const byStatus: [number, Step][] = [
    [502, 'send_again'],
    [504, 'send_again'],
    [429, 'send_again'],
    [408, 'send_again'],
    [404, 'send_again'],
    [402, 'send_again'],
    [302, 'send_again'],
    [200, 'send_again'],
  ]
  it.each(byStatus)('behavior: a proxy that answers %i in its own words', (status, step) => {
    expect(nextStep(readProblem('<html>', status), true)).toBe(step)
  })

  const ownWords: [number, Step][] = [
    [400, 'stop'],
    [402, 'stop'],
    [500, 'send_again'],
  ]
  it.each(ownWords)('behavior: a problem of the service with %i that advises nothing', (status, step) => {
    expect(nextStep(problem({}, status), true)).toBe(step)
  })
})
