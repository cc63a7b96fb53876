import { expect, it } from 'vitest'
import { assertDocumented } from '../helpers/documented.ts'

const json = new Headers({ 'Content-Type': 'application/json' })
const problem = new Headers({ 'Content-Type': 'application/problem+json' })
const check = (method: string, path: string, status: number, headers: Headers, body: unknown) => () =>
  assertDocumented(method, `https://coinslot.example${path}`, { status, headers, text: JSON.stringify(body) })

const nonce = { nonce: 'abcdefghijklmnop' }
const refused = {
  type: '/problems/unauthenticated',
  title: 'Sign in first',
  status: 401,
  detail: 'x',
  code: 'unauthenticated',
  requestId: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10',
}

it('default: an answer as it is described passes, whatever the query', () => {
  expect(check('GET', '/api/auth/nonce', 200, json, nonce)).not.toThrow()
  expect(check('GET', '/api/inferences?limit=1', 401, problem, refused)).not.toThrow()
})

it.each([
  ['a status', check('GET', '/api/auth/nonce', 201, json, nonce)],
  ['a member', check('GET', '/api/auth/nonce', 200, json, { ...nonce, more: 1 })],
  ['a missing member', check('GET', '/api/auth/nonce', 200, json, {})],
  ['a media type', check('GET', '/api/auth/nonce', 200, new Headers({ 'Content-Type': 'text/plain' }), nonce)],
  ['a code of another call', check('GET', '/api/auth/nonce', 401, problem, refused)],
  ['an unknown code', check('GET', '/api/account', 401, problem, { ...refused, code: 'nope' })],
  ['a problem without its id', check('GET', '/api/account', 401, problem, { ...refused, requestId: undefined })],
])('error: %s that is not described is reported', (_case, answer) => {
  expect(answer).toThrow('which is not described')
})
