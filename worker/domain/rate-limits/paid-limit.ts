import type { RequestDeps, Session } from '../deps.ts'
import type { Tier } from '../models/model.ts'
import { readHoldings } from '../staking/gate.ts'
import { tierOf } from '../staking/tier.ts'

const PAID_PER_MINUTE = 10
const TIER_PER_MINUTE: Record<Tier, number> = { free: 5, standard: 20, premium: 60 }

/**
 * New paid authorizations a wallet may bring per minute: 10, or the tier's number where tiers are enforced and it is greater. A failed read returns
 * what was read; the claim counts them.
 */
export async function paidLimit(deps: RequestDeps, session: Session): Promise<number> {
  if (!deps.config.enforceTiers) return PAID_PER_MINUTE
  return Math.max(PAID_PER_MINUTE, TIER_PER_MINUTE[tierOf(await readHoldings(deps, session))])
}
