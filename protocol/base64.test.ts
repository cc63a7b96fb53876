import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, fromHeader, jsonToBase64Url, toBase64Url, toHeader } from './base64.ts'

describe('base64', () => {
  it('default: bytes go out for URLs and come back from either alphabet, padded or not', () => {
    const bytes = new Uint8Array([251, 255, 254, 0])
    expect(toBase64Url(bytes)).toBe('-__-AA')
    for (const text of ['-__-AA', '-__-AA==', '+//+AA==', '+//+AA']) expect(fromBase64(text)).toEqual(bytes)
  })

  it('default: the JSON of a value is standard and padded, or for URLs', () => {
    expect(toHeader({ a: 1 })).toBe('eyJhIjoxfQ==')
    expect(jsonToBase64Url({ a: '>>>' })).toBe('eyJhIjoiPj4-In0')
  })

  it('behavior: what is not ASCII is UTF-8 within, also beyond the first plane', () => {
    const value = { name: 'a · b', sign: 'é🪙', quote: '"\\' }
    const utf8 = Buffer.from(JSON.stringify(value), 'utf8')
    expect(toHeader(value)).toBe(utf8.toString('base64'))
    expect(jsonToBase64Url(value)).toBe(utf8.toString('base64url'))
  })

  it.each(['a b', 'ä', '=abc', 'abc===', 'a'])('error: %j is not base64', (text) => {
    expect(fromBase64(text)).toBeNull()
  })
})

it('default: base64url of any few bytes is what Node writes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    }),
  )
})

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
