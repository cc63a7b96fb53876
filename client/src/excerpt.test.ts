import { describe, expect, it } from 'vitest'
import { excerptOf, startOf } from './excerpt.ts'

const FAMILY = '👨‍👩‍👧'
const ACCENTED = 'e\u0301'

it.each([
  ['a text that is short enough', `ab${FAMILY}`, 10, `ab${FAMILY}`],
  ['plain letters', 'abcdef', 3, 'abc'],
  ['an emoji of two units', 'ab😀😀', 5, 'ab😀'],
  ['an emoji of several people', `ab${FAMILY}`, 5, 'ab'],
  ['a flag', 'a🇩🇪🇫🇷', 7, 'a🇩🇪'],
  ['a letter with a combining accent', `caf${ACCENTED}s`, 4, 'caf'],
  ['a character that is longer than the limit', FAMILY, 3, ''],
])('behavior: no character is cut: %s', (_, text, length, start) => {
  expect(startOf(text, length)).toBe(start)
})

describe('excerptOf', () => {
  it.each([
    ['a short text is unchanged', 'a kind of water.', 16, 'a kind of water.'],
    ['words stay whole', 'It is a kind of chroma', 20, 'It is a kind of…'],
    ['punctuation before the ellipsis is removed', 'The sea, the sky. Blue', 19, 'The sea, the sky…'],
    ['a script without spaces is cut between characters', '灯台は海を照らす塔である', 6, '灯台は海を照…'],
    ['a pair of code units is never split', 'abcdefg😀😀', 8, 'abcdefg…'],
    ['an emoji of several people is never split', 'abcdefg👨‍👩‍👧', 10, 'abcdefg…'],
    ['a letter keeps its accents', 'abcdefe\u0301', 7, 'abcdef…'],
  ])('default: %s', (_, text, length, excerpt) => {
    expect(excerptOf(text, length)).toBe(excerpt)
  })
})
