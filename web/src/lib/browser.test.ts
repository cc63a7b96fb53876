import { describe, expect, it } from 'vitest'
import { excerptOf, safeUrl, shortHex } from './browser.ts'

describe('safeUrl', () => {
  it('behavior: only http and https are links', () => {
    expect(safeUrl('https://cdn.example/a.webp')).toBe('https://cdn.example/a.webp')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'blob:x', 'nonsense', ''])
      expect(safeUrl(url)).toBeNull()
  })
})

describe('shortHex', () => {
  it('default: first six and last four', () => {
    expect(shortHex('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')).toBe('0x19E7…ff2A')
  })
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
