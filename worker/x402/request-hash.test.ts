import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { AppError } from '../errors.ts'
import { requestHash } from './request-hash.ts'

describe('requestHash', () => {
  it('default: SHA-256 of the body with sorted keys', async () => {
    const text = '{"input":{"prompt":"a red bicycle","steps":4},"model":"m","task":"text-to-image"}'
    const body = { task: 'text-to-image', model: 'm', input: { steps: 4, prompt: 'a red bicycle' } }
    expect(await requestHash(body)).toBe(createHash('sha256').update(text).digest('hex'))
  })

  it('behavior: white space, key order and number style do not matter; anything else does', async () => {
    const hash = (json: string) => requestHash(JSON.parse(json))
    expect(await hash('{ "b": [1.0, 2e0], "a": "\\u0061" }')).toBe(await hash('{"a":"a","b":[1,2]}'))
    expect(await hash('{"a":" a"}')).not.toBe(await hash('{"a":"a"}'))
    expect(await hash('{"a":[1,2]}')).not.toBe(await hash('{"a":[2,1]}'))
    expect(await hash('{"a":"1"}')).not.toBe(await hash('{"a":1}'))
    expect(await hash('{"__proto__":{"x":1}}')).not.toBe(await hash('{}'))
  })

  it('behavior: keys are sorted by UTF-16 code units, as in the example of RFC 8785', () => {
    const body = JSON.parse(
      '{"\\u20ac":"Euro","\\r":"CR","\\ufb33":"Dalet","1":"One","\\ud83d\\ude00":"Smile","\\u0080":"C","\\u00f6":"o"}',
    )
    expect(Object.keys(JSON.parse(canonicalJson(body))).filter((key) => key !== '1')).toEqual([
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ])
  })

  it('error: invalid_request for a body nested beyond reason', async () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)
    await expect(requestHash(deep)).rejects.toThrow(AppError)
  })
})
