import { AIC_DECIMALS, parseAmount } from '../../../protocol/money.ts'
import type { Tier } from '../models/model.ts'

/** The AIC of a wallet, in atomic units (10^-18 AIC). */
export interface Holdings {
  heldAtomic: bigint
  stakedAtomic: bigint
}

const aic = (amount: string): bigint => parseAmount(amount, AIC_DECIMALS)

/** The AIC that each tier requires: held in the wallet and staked, both at least. */
export const TIER_REQUIREMENTS: Record<Tier, Holdings> = {
  free: { heldAtomic: 0n, stakedAtomic: 0n },
  standard: { heldAtomic: aic('500'), stakedAtomic: 0n },
  premium: { heldAtomic: 0n, stakedAtomic: aic('5000') },
}

/** True if the holdings reach a tier's requirement. */
export function reachesTier(tier: Tier, holdings: Holdings): boolean {
  const required = TIER_REQUIREMENTS[tier]
  return holdings.heldAtomic >= required.heldAtomic && holdings.stakedAtomic >= required.stakedAtomic
}

/** The highest tier a wallet reaches, e.g. 499.999… AIC held and nothing staked: `free`. */
export function tierOf(holdings: Holdings): Tier {
  if (reachesTier('premium', holdings)) return 'premium'
  return reachesTier('standard', holdings) ? 'standard' : 'free'
}
