import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide, formatAmount, parseAmount } from './money.ts'

describe('parseAmount and formatAmount', () => {
  it('default: a USDC text becomes atomic units and comes back with all its decimals', () => {
    expect(parseAmount('0.01', 6)).toBe(10_000n)
    expect(formatAmount(10_000n, 6)).toBe('0.010000')
    expect(formatAmount(7n, 0)).toBe('7')
  })

  it('behavior: leading zeros of the fraction are kept', () => {
    expect(parseAmount('630.005688', 6)).toBe(630_005_688n)
    expect(parseAmount('1.000001', 6)).toBe(1_000_001n)
    expect(parseAmount('0.000001', 6)).toBe(1n)
  })

  it('behavior: amounts beyond 2^53 are exact', () => {
    expect(parseAmount('1000000000.000000000000000001', 18)).toBe(1_000_000_000_000_000_000_000_000_001n)
    expect(formatAmount(9_007_199_254_740_993n, 6)).toBe('9007199254.740993')
  })

  it('behavior: any amount survives the round trip', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        expect(parseAmount(formatAmount(units, decimals), decimals)).toBe(units)
      }),
    )
  })

  it.each(['0.0000005', '0.9999999', '1.0000000'])('error: %s has more than 6 decimals and is not rounded', (text) => {
    expect(() => parseAmount(text, 6)).toThrow(RangeError)
  })

  it.each(['', ' 1', '+1', '-1', '1e3', '1E3', '1,5', '.5', '1.', '0x1', '01', 'NaN', 'Infinity', '1\n', '١'])(
    'error: %j is not a plain decimal number',
    (text) => {
      expect(() => parseAmount(text, 6)).toThrow(RangeError)
    },
  )

  it('error: a negative amount is never written', () => {
    expect(() => formatAmount(-1n, 6)).toThrow(RangeError)
  })
})

describe('divide', () => {
  it('behavior: up rounds to the next integer, half-up to the nearest with ties up', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 15n), (numerator, denominator) => {
        const up = divide(numerator, denominator, 'up')
        expect(up * denominator >= numerator && (up - 1n) * denominator < numerator).toBe(true)
        // q is half-up exactly when q - 1/2 <= n/d < q + 1/2.
        const half = divide(numerator, denominator, 'half-up')
        const twice = 2n * numerator
        expect((2n * half - 1n) * denominator <= twice && twice < (2n * half + 1n) * denominator).toBe(true)
      }),
    )
  })
})
