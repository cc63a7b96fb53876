import { makeIsolateCache } from '../../../lib/isolate-cache.ts'
import type { RequestDeps, Session } from '../../deps.ts'
import { type ModelRuns, modelHistory } from '../../models/history.ts'
import type { Model } from '../../models/model.ts'
import { discountedRate, discountFor } from '../../pricing/discount.ts'
import { estimateCostUsdc, estimatedSeconds } from '../../pricing/price.ts'
import { readStake } from '../../staking/stake-reader.ts'

/** The price of one run of a model for one caller now. */
export interface Price {
  /** Decimal string, as shown; the cost is computed from exactly these. */
  readonly estimatedSeconds: string
  /** USDC, 6 decimals. */
  readonly estimatedCostUsdc: string
  /** USDC per second after the discount, 9 decimals. */
  readonly effectiveRateUsdc: string
  /** Percent, 2 decimals. */
  readonly discountPct: string
  /** Atomic units (10^-18 AIC) the discount was worked out from. */
  readonly stakedAtomic: bigint
}

/** Prices by all they are worked out from: the configuration, which owns the memory, the model, its runs, the stake. */
const known = makeIsolateCache<Price>()

/** The price for a signed-in caller with its discount, or for anyone. No call leaves when history and stake are warm. */
export async function priceOf(deps: RequestDeps, session: Session | null, model: Model): Promise<Price> {
  const [history, stake] = await Promise.all([
    modelHistory(deps),
    session === null ? { stakedAtomic: 0n } : readStake(deps, session),
  ])
  const { stakedAtomic } = stake
  const runs = history.get(model.id) ?? null
  const key = `${model.id} ${runs?.sumMs} ${runs?.count} ${stakedAtomic}`
  let price = known.get(deps.config, key)
  if (price === undefined) {
    price = computePrice(deps.config.ratePerSec, model, runs, stakedAtomic)
    known.set(deps.config, key, price)
  }
  return price
}

function computePrice(ratePerSec: string, { task }: Model, runs: ModelRuns | null, stakedAtomic: bigint): Price {
  const { discountPct, discountBps } = discountFor(stakedAtomic)
  const effectiveRateUsdc = discountedRate(ratePerSec, discountBps)
  const seconds = estimatedSeconds(task, runs)
  return {
    estimatedSeconds: seconds,
    estimatedCostUsdc: estimateCostUsdc(task, effectiveRateUsdc, seconds),
    effectiveRateUsdc,
    discountPct,
    stakedAtomic,
  }
}
