/** Decimals of USDC on every network in `networks.ts`. */
export const USDC_DECIMALS = 6
/** Decimals of AIC, wrapped or not. */
export const AIC_DECIMALS = 18

/**
 * Parses a plain decimal string into atomic units: `parseAmount('0.01', 6)` is `10_000n`. Throws `RangeError` on a sign, an exponent,
 * or too many decimals.
 */
export function parseAmount(text: string, decimals: number): bigint {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text)
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > decimals) {
    throw new RangeError(`"${text}" is not an amount: give digits, and at most ${decimals} of them after a point`)
  }
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`)
}

/** Formats atomic units with all decimals: `formatAmount(10_000n, 6)` is `'0.010000'`. */
export function formatAmount(atomic: bigint, decimals: number): string {
  const digits = atomic.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
