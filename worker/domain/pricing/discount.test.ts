import { describe, expect, it } from 'vitest'
import { discountedRate, discountFor } from './discount.ts'

const AIC = 10n ** 18n

describe('discountFor', () => {
  it.each([
    [0n, '0.00', 0],
    [1_000n * AIC - 1n, '0.00', 0],
    [1_000n * AIC, '10.00', 1000],
    [10_000n * AIC - 1n, '10.00', 1000],
    [10_000n * AIC, '20.00', 2000],
    [50_000n * AIC - 1n, '20.00', 2000],
    [50_000n * AIC, '35.00', 3500],
    [200_000n * AIC - 1n, '35.00', 3500],
    [200_000n * AIC, '50.00', 5000],
    [1_000_000_000n * AIC, '50.00', 5000],
  ])('default: %d atomic units staked give %s %%', (staked, discountPct, discountBps) => {
    expect(discountFor(staked)).toEqual({ discountPct, discountBps })
  })
})

describe('discountedRate', () => {
  it.each([
    [0, '0.001000000'],
    [1000, '0.000900000'],
    [2000, '0.000800000'],
    [3500, '0.000650000'],
    [5000, '0.000500000'],
  ])('default: the base rate with %i basis points off is %s', (bps, rate) => {
    expect(discountedRate('0.001', bps)).toBe(rate)
  })

  it('behavior: rounds half-up to 6 decimals', () => {
    // 0.000225 × 0.9 = 0.0002025; 0.000227 × 0.65 = 0.00014755.
    expect(discountedRate('0.000225', 1000)).toBe('0.000203000')
    expect(discountedRate('0.000227', 3500)).toBe('0.000148000')
  })

  it('behavior: never falls below 0.000001', () => {
    expect(discountedRate('0.0000001', 5000)).toBe('0.000001000')
  })

  it('behavior: without a discount the base stays as configured, however fine', () => {
    expect(discountedRate('0.000000001', 0)).toBe('0.000000001')
  })
})
