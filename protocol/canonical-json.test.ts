import { expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

it('default: keys are sorted at every level, without white space', () => {
  expect(canonicalJson({ b: [1.0, { d: null, c: 'é' }], a: true })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
})

it('behavior: an undefined member is left out', () => {
  expect(canonicalJson({ seed: undefined, prompt: 'x' })).toBe('{"prompt":"x"}')
})

it('error: a value nested deeper than 64 levels', () => {
  expect(() => canonicalJson(JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`))).toThrow(RangeError)
})
