import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, jsonToBase64, jsonToBase64Url, toBase64Url } from './base64.ts'

describe('base64', () => {
  it('default: bytes go out for URLs and come back from either alphabet, padded or not', () => {
    const bytes = new Uint8Array([251, 255, 254, 0])
    expect(toBase64Url(bytes)).toBe('-__-AA')
    for (const text of ['-__-AA', '-__-AA==', '+//+AA==', '+//+AA']) expect(fromBase64(text)).toEqual(bytes)
  })

  it('default: the JSON of a value is standard and padded, or for URLs', () => {
    expect(jsonToBase64({ a: 1 })).toBe('eyJhIjoxfQ==')
    expect(jsonToBase64Url({ a: '>>>' })).toBe('eyJhIjoiPj4-In0')
  })

  it('behavior: what is not ASCII is UTF-8 within, also beyond the first plane', () => {
    const value = { name: 'a · b', sign: 'é🪙', quote: '"\\' }
    const utf8 = Buffer.from(JSON.stringify(value), 'utf8')
    expect(jsonToBase64(value)).toBe(utf8.toString('base64'))
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
