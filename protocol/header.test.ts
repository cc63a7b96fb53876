import { expect, it } from 'vitest'
import { fromHeader, toHeader } from './header.ts'

it('default: a header is standard padded base64 of JSON in UTF-8', () => {
  expect(toHeader({ a: 1 })).toBe('eyJhIjoxfQ==')
  expect(toHeader({ sign: 'é🪙' })).toBe('eyJzaWduIjoiw6nwn6qZIn0=')
})

it.each([['eyJhIjoxfQ=='], ['eyJhIjoxfQ']])('default: %s is read, padded or not', (header) => {
  expect(fromHeader(header)).toEqual({ a: 1 })
})

it('default: base64url is read too', () => {
  expect(fromHeader('eyJhIjoiPj4-In0')).toEqual({ a: '>>>' })
})

it.each(['', 'a b', 'e30=x', 'eyJhIjox', '/w=='])('error: %j cannot be read', (header) => {
  expect(fromHeader(header)).toBeUndefined()
})
