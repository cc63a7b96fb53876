import { expect, it } from 'vitest'
import { startOf } from './start-of.ts'

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
