import { expect, it } from 'vitest'
import { countNear } from './text-length.ts'

it.each([
  ['far below the limit', 'x'.repeat(89), 0],
  ['near the limit', 'x'.repeat(90), 90],
  ['above the limit', 'x'.repeat(101), 101],
  ['spaces around the text', ` ${'x'.repeat(100)}\n`, 100],
  ['an emoji of two units counts once', '😀'.repeat(100), 100],
  ['emoji far below the limit', '😀'.repeat(60), 0],
])('behavior: characters are counted as the service counts them: %s', (_, text, count) => {
  expect(countNear(text, 100)).toBe(count)
})
