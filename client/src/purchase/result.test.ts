import { describe, expect, it } from 'vitest'
import { RESULT } from '../../testing/scripted-service.ts'
import { readProblem } from '../problem.ts'
import { outcomeOf } from './result.ts'

describe('outcomeOf', () => {
  it('default: a result with a UUID as its id', () => {
    expect(outcomeOf(RESULT, 200, null)).toEqual({ kind: 'result', result: RESULT })
  })

  it.each([
    ['a path', '../../.bashrc'],
    ['an absolute path', '/etc/passwd'],
    ['a UUID with more behind it', `${RESULT.id}/../x`],
    ['a UUID with a line break', `${RESULT.id}\n`],
    ['an empty text', ''],
    ['a number', 7],
  ])('error: a result whose id is %s is refused, and so is its record', (_, id) => {
    const refused = { kind: 'problem', problem: expect.objectContaining({ code: 'http_200' }) }
    expect(outcomeOf({ ...RESULT, id }, 200, null)).toEqual(refused)
    expect(outcomeOf({ id, status: 'pending' }, 200, null)).toEqual(refused)
  })

  it.each([
    ['30', 30],
    ['31536000', 90],
    ['Infinity', 90],
    ['0.001', 2],
    ['-5', 2],
    ['soon', 2],
  ])('behavior: a pending purchase with Retry-After %s is read again after %i seconds', (retryAfter, seconds) => {
    const { id } = RESULT
    expect(outcomeOf({ id, status: 'pending' }, 202, retryAfter)).toEqual({ kind: 'pending', id, waitSeconds: seconds })
  })
})

it.each(['https://b.example/x', '//b.example/x', '/\\b.example/x', 'x', '/\t/b.example'])(
  'error: a statusUrl that leads to another origin is ignored: %j',
  (statusUrl) => {
    expect(readProblem({ code: 'payment_in_progress', statusUrl }, 409)).not.toHaveProperty('statusUrl')
  },
)
