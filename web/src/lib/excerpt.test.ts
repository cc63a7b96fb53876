import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test.each([
  ['what fits is left alone', 'a kind of water.', 16, 'a kind of water.'],
  ['words stay whole', 'It is a kind of chroma', 20, 'It is a kind of…'],
  ['no mark stands before the ellipsis', 'The sea, the sky. Blue', 19, 'The sea, the sky…'],
  ['a script without spaces is cut between characters', '灯台は海を照らす塔である', 6, '灯台は海を照…'],
  ['a pair of code units is never split', 'abcdefg😀😀', 8, 'abcdefg…'],
])('default: %s', (_, text, length, excerpt) => {
  expect(excerptOf(text, length)).toBe(excerpt)
})
