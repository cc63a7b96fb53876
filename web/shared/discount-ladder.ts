import { formatAmount, parseAmount } from '../../protocol/money.ts'
import { AIC_DECIMALS } from './money.ts'

/** The tiers of the staking discount: the least AIC staked, and the discount in percent. */
export const LADDER = [
  { staked: '0', percent: 0 },
  { staked: '1000', percent: 10 },
  { staked: '10000', percent: 20 },
  { staked: '50000', percent: 35 },
  { staked: '200000', percent: 50 },
] as const

/** The discount in percent of an amount of staked AIC in atomic units. */
export function percentOf(stakedAtomic: bigint): number {
  return LADDER.findLast(({ staked }) => parseAmount(staked, AIC_DECIMALS) <= stakedAtomic)?.percent ?? 0
}

/**
 * The rate of a tier from the undiscounted rate (USDC per second, at most 9 decimals). As on the server, it is rounded half-up to
 * 6 decimals and is at least 0.000001. At 0 % it is the undiscounted rate.
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

/** The undiscounted rate of a discounted one. Null if rounding makes it ambiguous. */
export function baseRateOf(effectiveRate: string, percent: number): string | null {
  if (percent === 0) return effectiveRate
  const nano = parseAmount(effectiveRate, 9) * 100n
  const divisor = BigInt(100 - percent)
  return nano % divisor === 0n ? formatAmount(nano / divisor, 9) : null
}
