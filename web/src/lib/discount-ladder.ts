import { formatAmount, parseAmount } from '@coinslot/client/money'

/** The tiers of the staking discount: AIC staked at least, and the percent taken off. */
export const LADDER = [
  { staked: '0', percent: 0 },
  { staked: '1000', percent: 10 },
  { staked: '10000', percent: 20 },
  { staked: '50000', percent: 35 },
  { staked: '200000', percent: 50 },
] as const

/**
 * The rate of a tier from the undiscounted rate (USDC per second, at most 9 decimals): rounded half-up to 6 decimals and never
 * below 0.000001, as the server does it; at 0 % the rate itself.
 */
export function discountedRate(baseRate: string, percent: number): string {
  if (percent === 0) return baseRate
  const hundredthsOfNano = parseAmount(baseRate, 9) * BigInt(100 - percent)
  const micro = (hundredthsOfNano + 50_000n) / 100_000n
  return formatAmount(micro < 1n ? 1n : micro, 6)
}

/** Price of ten seconds at that rate, rounded up to the next 0.000001 USDC. */
export function priceOfTenSeconds(rate: string): string {
  const micro = (parseAmount(rate, 9) * 10n + 999n) / 1000n
  return formatAmount(micro < 1n ? 1n : micro, 6)
}

/**
 * The undiscounted rate behind a discounted one, where it can be told exactly; null where rounding hides it.
 */
export function baseRateOf(effectiveRate: string, percent: number): string | null {
  if (percent === 0) return effectiveRate
  const nano = parseAmount(effectiveRate, 9) * 100n
  const divisor = BigInt(100 - percent)
  return nano % divisor === 0n ? formatAmount(nano / divisor, 9) : null
}
