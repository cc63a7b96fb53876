import { expect, it } from 'vitest'
import { readAicAmount } from './aic.ts'

it.each([
  ['1.5', 1_500_000_000_000_000_000n],
  [' 1000 ', 1_000_000_000_000_000_000_000n],
  ['1,5', null],
  ['1,500', null],
  ['1.500,5', null],
  ['-1', null],
  ['0', null],
  ['1e3', null],
  ['a lot', null],
  ['', null],
])('default: the amount %j is read as %s atomic units', (written, amount) => {
  expect(readAicAmount(written)).toBe(amount)
})
