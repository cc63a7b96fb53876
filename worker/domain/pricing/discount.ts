import { AIC_DECIMALS, divide, formatAmount, parseAmount, RATE_DECIMALS } from '../../../protocol/money.ts'

export interface Discount {
  /** Percent with 2 decimals, e.g. `'10.00'`. */
  discountPct: string
  /** Basis points, e.g. 1000. */
  discountBps: number
}

const ONE_AIC = 10n ** BigInt(AIC_DECIMALS)

/** The discount tiers, dearest first: the first one whose minimum (whole AIC staked) is reached counts. */
export const DISCOUNT_TIERS: readonly { minimumAic: bigint; discountBps: number }[] = [
  { minimumAic: 200_000n, discountBps: 5000 },
  { minimumAic: 50_000n, discountBps: 3500 },
  { minimumAic: 10_000n, discountBps: 2000 },
  { minimumAic: 1_000n, discountBps: 1000 },
]

/** The discount of a staked amount in atomic units (10^-18 AIC): the highest tier it reaches, else none. */
export function discountFor(stakedAtomic: bigint): Discount {
  const tier = DISCOUNT_TIERS.find(({ minimumAic }) => stakedAtomic >= minimumAic * ONE_AIC)
  const discountBps = tier?.discountBps ?? 0
  return { discountPct: formatAmount(BigInt(discountBps), 2), discountBps }
}

/** From units of 10^-9 to units of 10^-6, the precision a discounted rate is rounded to. */
const TO_USDC_PRECISION = 1000n

/**
 * base × (1 − discount), rounded half-up to 6 decimals, never below 0.000001; without a discount the base as configured.
 * In and out: USDC per second, out with 9 decimals. `discountedRate('0.001', 3500)` is `'0.000650000'`.
 */
export function discountedRate(base: string, discountBps: number): string {
  const rate = parseAmount(base, RATE_DECIMALS)
  if (discountBps === 0) return formatAmount(rate, RATE_DECIMALS)
  const rounded = divide(rate * BigInt(10_000 - discountBps), 10_000n * TO_USDC_PRECISION, 'half-up')
  return formatAmount((rounded > 0n ? rounded : 1n) * TO_USDC_PRECISION, RATE_DECIMALS)
}
