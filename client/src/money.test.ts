import { describe, expect, it } from 'vitest'
import { formatAmount, parseAmount } from './money.ts'

describe('amounts', () => {
  it('default: decimal strings and atomic units, exactly', () => {
    expect(parseAmount('0.05', 6)).toBe(50_000n)
    expect(parseAmount('12', 6)).toBe(12_000_000n)
    expect(parseAmount('9007199254740993.000001', 6)).toBe(9_007_199_254_740_993_000_001n)
    expect(formatAmount(10_000n, 6)).toBe('0.010000')
    expect(formatAmount(1n, 18)).toBe('0.000000000000000001')
  })

  it.each(['', '-1', '+1', '1e3', '.5', '1.', '1,5', ' 1', '0x10', '0.0000001', 'NaN'])(
    'error: %j is not an amount of USDC, and is not rounded to one',
    (text) => {
      expect(() => parseAmount(text, 6)).toThrow(RangeError)
    },
  )
})
