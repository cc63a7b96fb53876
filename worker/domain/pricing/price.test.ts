import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount, parseAmount } from '../../../protocol/money.ts'
import { actualCostUsdc, aicAmount, estimateCostUsdc, estimatedSeconds, meanMs, secondsOf } from './price.ts'

describe('estimateCostUsdc', () => {
  it('default: the default durations at the default rate', () => {
    expect(estimateCostUsdc('text-to-image', '0.001')).toBe('0.010000')
    expect(estimateCostUsdc('text-to-text', '0.001')).toBe('0.003000')
    expect(estimateCostUsdc('text-to-sound', '0.001')).toBe('0.015000')
  })

  it.each([
    ['0.000225', '3.3', '0.000743'],
    ['0.0014', '1.1', '0.001540'],
    ['0.000725', '2.9', '0.002103'],
    ['0.000575', '8.7', '0.005003'],
    ['0.00115', '0.7', '0.000805'],
    ['0.0000001', '1', '0.000001'],
    ['0.0000001', '10', '0.000001'],
    ['0.000000001', '0.000000000000000001', '0.000001'],
  ])('behavior: %s USDC/s × %s s is charged as %s, rounded up', (rate, seconds, cost) => {
    expect(estimateCostUsdc('text-to-text', rate, seconds)).toBe(cost)
  })

  it('behavior: at least one atomic unit is charged', () => {
    expect(estimateCostUsdc('text-to-text', '0.001', '0')).toBe('0.000001')
  })

  it.each(['0.000123', '0.000246', '4.03', '4.07', '8.05', '0.000249', '2.01', '8.2', '64.1'])(
    'behavior: one second at %s costs exactly that, where floats go wrong',
    (rate) => {
      expect(estimateCostUsdc('text-to-text', rate, '1')).toBe(formatAmount(parseAmount(rate, 6), 6))
    },
  )

  it('behavior: agrees with exact rational arithmetic for any rate and duration', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(0n, 10n ** 7n), (rateNano, ms) => {
        const units = parseAmount(estimateCostUsdc('text-to-image', formatAmount(rateNano, 9), secondsOf(ms)), 6)
        // Exact price in units of 10^-12 USDC; one atomic unit is 10^6 of them.
        const exact = rateNano * ms
        expect(units >= 1n && units * 1_000_000n >= exact).toBe(true)
        expect(units === 1n || (units - 1n) * 1_000_000n < exact).toBe(true)
      }),
    )
  })

  it.each([
    ['0.0000000001', '1'],
    ['1e-3', '1'],
    ['-0.001', '1'],
    ['0.001', '1e3'],
    ['0.001', '-1'],
  ])('error: rate %s with %s s is refused', (rate, seconds) => {
    expect(() => estimateCostUsdc('text-to-text', rate, seconds)).toThrow(RangeError)
  })
})

describe('actualCostUsdc', () => {
  it.each([
    [1234, '0.001', '0.001234'],
    [3300, '0.000225', '0.000743'],
    [1100, '0.0014', '0.001540'],
    [2900, '0.000725', '0.002103'],
    [8700, '0.000575', '0.005003'],
    [700, '0.00115', '0.000805'],
    [1000, '0.0000001', '0.000000'],
    [10000, '0.0000001', '0.000001'],
    [0, '0.001', '0.000000'],
    [2_147_483_647, '0.001', '2147.483647'],
  ])('default: %i ms at %s is reported as %s, rounded half-up', (ms, rate, cost) => {
    expect(actualCostUsdc(ms, rate)).toBe(cost)
  })

  it('behavior: is the nearest atomic unit, ties up, for any rate and duration', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 2_147_483_647 }), (rateNano, ms) => {
        const twice = 2n * parseAmount(actualCostUsdc(ms, formatAmount(rateNano, 9)), 6) * 1_000_000n
        const exactTwice = 2n * rateNano * BigInt(ms)
        expect(twice - 1_000_000n <= exactTwice && exactTwice < twice + 1_000_000n).toBe(true)
      }),
    )
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('error: %d ms is refused', (ms) => {
    expect(() => actualCostUsdc(ms, '0.001')).toThrow(RangeError)
  })
})

describe('estimated seconds', () => {
  it('default: the task decides while a model has no history', () => {
    expect(estimatedSeconds('text-to-image', null)).toBe('10')
    expect(estimatedSeconds('text-to-sound', { sumMs: 0n, count: 0n })).toBe('15')
  })

  it('behavior: the mean of the records is rounded up to a whole millisecond', () => {
    expect(meanMs(10n, 3n)).toBe(4n)
    expect(estimatedSeconds('text-to-image', { sumMs: 1234n, count: 1n })).toBe('1.234')
    expect(estimatedSeconds('text-to-image', { sumMs: 3701n, count: 3n })).toBe('1.234')
  })

  it('behavior: seconds are written without idle zeros', () => {
    expect([0n, 1n, 10n, 1500n, 10_000n, 100_000n].map(secondsOf)).toEqual(['0', '0.001', '0.01', '1.5', '10', '100'])
  })
})

describe('aicAmount', () => {
  it('default: USDC cost times the rate, in atomic units of 18 decimals', () => {
    expect(aicAmount('0.010000', '50')).toBe(500_000_000_000_000_000n)
    expect(aicAmount('1.500000', '1')).toBe(1_500_000_000_000_000_000n)
  })

  it('behavior: rounds up to the last unit', () => {
    // 0.000001 USDC × 0.0000000000001 AIC = 10^-19 AIC, a tenth of a unit.
    expect(aicAmount('0.000001', '0.0000000000001')).toBe(1n)
    expect(aicAmount('0.010001', '0.333333333333333333')).toBe(3_333_666_666_666_667n)
  })
})
