import { beforeAll, describe, expect, it } from 'vitest'
import { useMessages } from '../site/src/messages/active.ts'
import { messages } from '../site/src/messages/en.ts'
import { approximatePrice, exactRate, formatAic, formatDecimal } from './money.ts'

beforeAll(() => useMessages({ messages }))

describe('formatDecimal', () => {
  it('default: keeps every significant digit, and at least two decimals', () => {
    expect(formatDecimal('0.010000')).toBe('0.01')
    expect(formatDecimal('0.001234')).toBe('0.001234')
    expect(formatDecimal('1250.500000')).toBe('1,250.50')
  })
  it('behavior: an amount beyond the precision of a float stays exact', () => {
    expect(formatDecimal('9007199254740993.123456')).toBe('9,007,199,254,740,993.123456')
  })
  it('behavior: text that is not a number is returned unchanged', () => {
    expect(formatDecimal('–')).toBe('–')
  })
})

describe('formatAic', () => {
  it('behavior: rounds down, so that 999.999999 is never shown as 1,000', () => {
    expect(formatAic('999.999999999999999999')).toBe('999.99')
    expect(formatAic('1000.000000000000000000')).toBe('1,000')
    expect(formatAic('12.500000000000000000')).toBe('12.5')
  })
})

describe('exactRate', () => {
  it('default: the rate behind a price, where it is exact', () => {
    expect(exactRate('0.010000', 10)).toBe('0.001000000')
    expect(exactRate('0.001234', 1.234)).toBe('0.001000000')
  })
  it('behavior: null where rounding hides the rate, and for no time at all', () => {
    expect(exactRate('0.001111', 1.234)).toBeNull()
    expect(exactRate('0.010000', 0)).toBeNull()
  })
})

it.each([
  ['0', '≈\u00a00\u00a0¢'],
  ['0.000001', '≈\u00a00.0001\u00a0¢'],
  ['0.001234', '≈\u00a00.12\u00a0¢'],
  ['0.010000', '≈\u00a01\u00a0¢'],
  ['0.125', '≈\u00a013\u00a0¢'],
  ['0.994999', '≈\u00a099\u00a0¢'],
  ['0.995', '≈\u00a0$1.00'],
  ['1.205', '≈\u00a0$1.21'],
  ['not a number', 'not a number'],
])('default: the price %s USDC is shown as %s', (usdc, shown) => {
  expect(approximatePrice(usdc)).toBe(shown)
})
