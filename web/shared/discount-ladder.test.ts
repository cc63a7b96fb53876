import { describe, expect, it } from 'vitest'
import { baseRateOf, discountedRate, LADDER, priceOfTenSeconds } from './discount-ladder.ts'

describe('discountedRate', () => {
  it('default: the table of the tiers at the base rate', () => {
    expect(LADDER.map(({ percent }) => discountedRate('0.001000000', percent))).toEqual([
      '0.001000000',
      '0.000900',
      '0.000800',
      '0.000650',
      '0.000500',
    ])
  })
  it('behavior: half-up to six decimals, never below the smallest unit', () => {
    expect(discountedRate('0.000001500', 10)).toBe('0.000001')
    expect(discountedRate('0.000003000', 50)).toBe('0.000002')
    expect(discountedRate('0.000000001', 50)).toBe('0.000001')
  })
})

describe('priceOfTenSeconds', () => {
  it('default: rounded up to the next unit', () => {
    expect(priceOfTenSeconds('0.000650')).toBe('0.006500')
    expect(priceOfTenSeconds('0.000000123')).toBe('0.000002')
  })
})

describe('baseRateOf', () => {
  it('default: undoes a discount where that is exact', () => {
    expect(baseRateOf('0.000800000', 20)).toBe('0.001000000')
    expect(baseRateOf('0.001000000', 0)).toBe('0.001000000')
    expect(baseRateOf('0.000333000', 35)).toBeNull()
  })
})
