/** How a quotient becomes an integer: `up` to the next one, `half-up` to the nearest with ties up. Amounts are never negative here. */
export type Rounding = 'up' | 'half-up'

/** Decimals of USDC amounts, of AIC amounts and of rates in JSON and in the database. */
export const USDC_DECIMALS = 6
export const AIC_DECIMALS = 18
export const RATE_DECIMALS = 9

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

/**
 * Atomic units (10^-decimals) in a plain decimal text: `parseAmount('0.01', 6)` is `10000n`.
 * Throws a RangeError on a sign, an exponent, a comma, a leading zero or more decimals than asked for: nothing is rounded.
 */
export function parseAmount(text: string, decimals: number): bigint {
  const match = DECIMAL.exec(text)
  const whole = match?.[1]
  if (whole === undefined) throw new RangeError('not a plain decimal number')
  const fraction = match?.[2] ?? ''
  if (fraction.length > decimals) throw new RangeError(`more than ${decimals} decimals`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Text with exactly `decimals` decimals: `formatAmount(10000n, 6)` is `'0.010000'`. Throws a RangeError below zero. */
export function formatAmount(units: bigint, decimals: number): string {
  if (units < 0n) throw new RangeError('negative amount')
  if (decimals === 0) return units.toString()
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** `numerator / denominator` rounded once, exactly. Both are non-negative, the denominator above zero. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  return rounding === 'up'
    ? (numerator + denominator - 1n) / denominator
    : (2n * numerator + denominator) / (2n * denominator)
}

/** `a × b / denominator`, multiplied exactly and rounded once at the end. */
export const multiplyDivide = (a: bigint, b: bigint, denominator: bigint, rounding: Rounding): bigint =>
  divide(a * b, denominator, rounding)
