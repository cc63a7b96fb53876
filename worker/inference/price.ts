import type { RequestDeps, Session } from '../context.ts'
import { modelHistory } from '../models/history.ts'
import type { Model } from '../models/model.ts'
import { discountedRate, discountFor } from '../pricing/discount.ts'
import { estimateCostUsdc, estimatedSeconds } from '../pricing/price.ts'
import { readStake } from '../staking/stake-reader.ts'

/** What one run of a model costs one caller now. */
export interface Price {
  /** Decimal string, as shown; the cost is computed from exactly these. */
  estimatedSeconds: string
  /** USDC, 6 decimals. */
  estimatedCostUsdc: string
  /** USDC per second after the discount, 9 decimals. */
  effectiveRateUsdc: string
  /** Percent, 2 decimals. */
  discountPct: string
  /** Atomic units (10^-18 AIC) the discount was worked out from. */
  stakedAtomic: bigint
}

/** The price for a signed-in caller with its discount, or for anyone. No call leaves when history and stake are warm. */
export async function priceOf(deps: RequestDeps, session: Session | null, model: Model): Promise<Price> {
  const [history, stake] = await Promise.all([
    modelHistory(deps),
    session === null ? { stakedAtomic: 0n } : readStake(deps, session),
  ])
  const { discountPct, discountBps } = discountFor(stake.stakedAtomic)
  const effectiveRateUsdc = discountedRate(deps.config.ratePerSec, discountBps)
  const seconds = estimatedSeconds(model.task, history.get(model.id) ?? null)
  return {
    estimatedSeconds: seconds,
    estimatedCostUsdc: estimateCostUsdc(model.task, effectiveRateUsdc, seconds),
    effectiveRateUsdc,
    discountPct,
    stakedAtomic: stake.stakedAtomic,
  }
}
