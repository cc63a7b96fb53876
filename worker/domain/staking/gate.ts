import { AIC_DECIMALS, formatAmount } from '../../../protocol/money.ts'
import { AppError } from '../../errors.ts'
import type { RequestDeps, Session } from '../deps.ts'
import type { Model, Tier } from '../models/model.ts'
import { readHeld, readStake } from './stake-reader.ts'
import { type Holdings, reachesTier, TIER_REQUIREMENTS } from './tier.ts'

/** Holdings and stake of a wallet; `failed` when either could not be read and stands as 0. */
export async function readHoldings(deps: RequestDeps, session: Session): Promise<Holdings & { failed: boolean }> {
  const [held, staked] = await Promise.all([readHeld(deps, session), readStake(deps, session)])
  return {
    heldAtomic: held.heldAtomic,
    stakedAtomic: staked.stakedAtomic,
    failed: held.failed || staked.failed,
  }
}

const shown = (holdings: Holdings) => ({
  heldAic: formatAmount(holdings.heldAtomic, AIC_DECIMALS),
  stakedAic: formatAmount(holdings.stakedAtomic, AIC_DECIMALS),
})

/** The AIC that a tier takes, as decimal strings of 18 decimals. */
export const requirementOf = (tier: Tier) => shown(TIER_REQUIREMENTS[tier])

/**
 * Access gating on the server: resolves when this wallet may use the model. Throws `tier_required` with what is required and what is
 * there, or `tier_unavailable` when that could not be read; in both cases nothing was charged. Free models ask nothing of the
 * chain, and nothing is asked while enforcement is off.
 */
export async function tierAccess(deps: RequestDeps, session: Session, model: Pick<Model, 'tier'>): Promise<void> {
  if (!deps.config.enforceTiers || model.tier === 'free') return
  const holdings = await readHoldings(deps, session)
  if (reachesTier(model.tier, holdings)) return
  if (holdings.failed) {
    throw new AppError('tier_unavailable', {
      detail: 'Your AIC could not be read from the chain. Nothing was charged; try again in a moment.',
      paymentState: 'unused',
      nextAction: 'wait_and_retry',
      retryAfterSeconds: 5,
    })
  }
  throw new AppError('tier_required', {
    detail: `This model needs the ${model.tier} tier. Nothing was charged.`,
    paymentState: 'unused',
    tier: model.tier,
    required: requirementOf(model.tier),
    actual: shown(holdings),
  })
}
