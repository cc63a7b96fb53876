import { expect, it } from 'vitest'
import { trimEnd } from './text.ts'

it.each([
  ['https://example.com//', '/', 'https://example.com'],
  ['/a/b', '/', '/a/b'],
  ['1.2300', '0', '1.23'],
  ['////', '/', ''],
  ['', '/', ''],
])('default: %j without %j at its end is %j', (text, characters, kept) => {
  expect(trimEnd(text, characters)).toBe(kept)
})
