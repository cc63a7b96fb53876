import { beforeAll, expect, it } from 'vitest'
import { useShared } from '../../shared/texts.ts'
import { shared } from '../../shared/words/en.ts'
import { duration, wholeAic } from './format.ts'
import { pageMessages } from './messages.ts'

beforeAll(() => useShared(shared))

it.each([
  [3 * 86_400 + 4 * 3_600 + 59, '3 days 4 hr'],
  [3 * 86_400, '3 days'],
  [725, '12 min 5 sec'],
  [-5, '0 sec'],
] as const)('default: a duration of %d seconds has its two largest units', (seconds, written) => {
  expect(duration(seconds)).toBe(written)
})

it('behavior: a sum of AIC without its fraction keeps all its groups', () => {
  expect(wholeAic(1_234_567n * 10n ** 18n + 9n)).toBe('1,234,567')
})

it('default: plural forms of months', () => {
  expect([1, 2, 11].map(pageMessages.treasury.months)).toEqual(['1 month', '2 months', '11 months'])
})
