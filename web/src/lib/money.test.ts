import { describe, expect, it } from 'vitest'
import { exactRate, formatAic, formatDecimal, fromAtomic, toAtomic } from './money.ts'

describe('fromAtomic', () => {
  it('default: puts the point where the decimals say', () => {
    expect(fromAtomic('10000', 6)).toBe('0.010000')
    expect(fromAtomic('1', 6)).toBe('0.000001')
    expect(fromAtomic('123456789012345678901', 18)).toBe('123.456789012345678901')
  })
})

describe('toAtomic', () => {
  it('default: is exact', () => {
    expect(toAtomic('0.010000', 6)).toBe(10_000n)
    expect(toAtomic('1000', 18)).toBe(1_000_000_000_000_000_000_000n)
  })
  it('error: digits that do not fit are not rounded away', () => {
    expect(() => toAtomic('0.0000005', 6)).toThrow('more than 6 decimals')
    expect(() => toAtomic('1e3', 6)).toThrow('not a decimal number')
    expect(() => toAtomic('-1', 6)).toThrow('not a decimal number')
  })
})

describe('formatDecimal', () => {
  it('default: keeps every digit that says something and at least two', () => {
    expect(formatDecimal('0.010000')).toBe('0.01')
    expect(formatDecimal('0.001234')).toBe('0.001234')
    expect(formatDecimal('1250.500000')).toBe('1,250.50')
  })
  it('behavior: an amount beyond what a float holds stays exact', () => {
    expect(formatDecimal('9007199254740993.123456')).toBe('9,007,199,254,740,993.123456')
  })
  it('behavior: what is no number is shown as it is', () => {
    expect(formatDecimal('–')).toBe('–')
  })
})

describe('formatAic', () => {
  it('behavior: J04 rounds down, so that 999.999999 is never shown as 1,000', () => {
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
