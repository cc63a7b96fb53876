/** Decimals of USDC on every network we know. */
export const USDC_DECIMALS = 6

/** An amount in the asset's smallest units from a plain decimal string. Throws on a sign, an exponent, or too many decimals. */
export function parseAmount(text: string, decimals: number): bigint {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text)
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > decimals) {
    throw new RangeError(`"${text}" is not an amount: give digits, and at most ${decimals} of them after a point`)
  }
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`)
}

/** The decimal string with every decimal: `formatAmount(10_000n, 6)` is `"0.010000"`. */
export function formatAmount(atomic: bigint, decimals: number): string {
  const digits = atomic.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
