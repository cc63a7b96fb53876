import type { Payment } from '../../../../db/queries/payment-row.ts'
import { type Chain, ChainUnavailable, type FoundTransfer } from '../../../upstreams/chain/chain.ts'
import type { RequestDeps } from '../../deps.ts'
import { claimSkewMs, searchBackMs, searchPastMs } from '../leases.ts'
import { after, validBefore } from '../payment-facts.ts'
import { transferQuery } from '../settlement-request.ts'

/** The chain's verdict on a payment. `open` means that it cannot say yet. */
type ChainCheck =
  | { kind: 'paid'; transfer: FoundTransfer }
  | { kind: 'unpaid'; reason: 'authorization_cancelled' | 'authorization_already_used' }
  | { kind: 'expired' }
  | { kind: 'open'; mayStillBePaid: boolean }

/**
 * Reads from the chain whether this payment was made: `authorizationState` first, then what spent the nonce. A transfer mined
 * after the first claim is the payment, from any sender. `expired` goes by a block's own time. While the chain cannot be
 * read the answer is `open`.
 */
export async function checkOnChain(deps: RequestDeps, payment: Payment): Promise<ChainCheck> {
  if (deps.config.facilitator === null) return checkByTime(deps, payment)
  try {
    return await readChain(deps, payment)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    deps.log.warn('chain.unavailable', { reason: error.message })
    return { kind: 'open', mayStillBePaid: false }
  }
}

/** When the nonce can have been spent for this payment. An authorization that was refused may be signed again much later. */
export const searchPeriod = (payment: Payment): { since: Date; until: Date } => ({
  since: after(payment.createdAt, -searchBackMs),
  until: after(validBefore(payment), searchPastMs),
})

/** The deps for reading the chain. */
export interface ChainCheckDeps {
  chain: Pick<Chain, 'authorizationStatus' | 'authorizationOutcome'>
  config: Pick<RequestDeps['config'], 'minConfirmations'>
}

/** As `checkOnChain`, for the operator's commands too. Throws `ChainUnavailable`. */
export async function readChain(deps: ChainCheckDeps, payment: Payment): Promise<ChainCheck> {
  const query = transferQuery(payment)
  const status = await deps.chain.authorizationStatus(query)
  if (!status.spent) {
    return status.blockTime >= validBefore(payment) ? { kind: 'expired' } : { kind: 'open', mayStillBePaid: true }
  }
  const { since, until } = searchPeriod(payment)
  const outcome = await deps.chain.authorizationOutcome(query, since, until)
  if (outcome.kind === 'cancelled') return { kind: 'unpaid', reason: 'authorization_cancelled' }
  if (outcome.kind !== 'transferred' || outcome.blockTime < after(payment.createdAt, -claimSkewMs)) {
    return { kind: 'unpaid', reason: 'authorization_already_used' }
  }
  if (outcome.confirmations < deps.config.minConfirmations) return { kind: 'open', mayStillBePaid: false }
  return { kind: 'paid', transfer: outcome }
}

/** The dev chain without a facilitator settles nothing, so there is nothing to find: only time decides. */
function checkByTime(deps: RequestDeps, payment: Payment): ChainCheck {
  return deps.now() >= validBefore(payment) ? { kind: 'expired' } : { kind: 'open', mayStillBePaid: true }
}
