import { expect, it } from 'vitest'
import { excerpt, firstCharacters } from './text.ts'

it.each([
  ['a text that is short enough', 'ab', 2, 'ab'],
  ['letters', 'abc', 2, 'ab'],
  ['an emoji of two units counts once', 'a🙂b', 2, 'a🙂'],
  ['an emoji of several people', 'a👨‍👩‍👧b', 3, 'a'],
  ['a letter with a combining accent', 'ae\u0301b', 2, 'a'],
  ['a first character that is longer than all of it', `e${'\u0301'.repeat(9)}b`, 3, 'e\u0301\u0301'],
])('behavior: no character is cut: %s', (_, text, count, start) => {
  expect(firstCharacters(text, count)).toBe(start)
})

it('behavior: an upstream’s text becomes one short line', () => {
  expect(excerpt(` a\r\n\tb\u0000c ${'y'.repeat(300)}`)).toBe(`a b c ${'y'.repeat(194)}`)
  expect(excerpt('😀'.repeat(300))).toBe('😀'.repeat(200))
})
