import type { Payment } from '../../../db/queries/payment-row.ts'
import type { FoundTransfer, TransferQuery } from '../../chain/chain.ts'
import type { RequestDeps } from '../../context.ts'
import { after, validBefore } from '../driver.ts'

/** What the chain says of a payment. `open` means that it cannot say yet. */
export type ChainVerdict =
  | { kind: 'paid'; transfer: FoundTransfer }
  | { kind: 'unpaid'; reason: string }
  | { kind: 'lapsed' }
  | { kind: 'open'; mayStillBePaid: boolean }

/** A transfer mined this long before our claim still counts as made for it: clocks of chain and worker differ. */
const skewMs = 30_000
/** How far before the claim the search for a spent nonce begins: a spend found there was not made for us. */
const searchBackMs = 3_600_000

export const transferQuery = (payment: Payment): TransferQuery => ({
  chainId: payment.chainId,
  asset: payment.asset,
  payer: payment.payer,
  payTo: `0x${payment.terms.payTo.slice(2)}`,
  amount: payment.amountAtomic,
  nonce: payment.nonce,
})

/**
 * Asks the chain whether this payment was made: `authorizationState` first, then what spent the nonce. Whoever submitted the
 * transfer, it is a payment when it was mined after our first claim. "Lapsed" is judged by a block's own time.
 * Throws `ChainUnavailable`.
 */
export async function askChain(deps: RequestDeps, payment: Payment): Promise<ChainVerdict> {
  if (deps.config.facilitator === null) return withoutSettlement(deps, payment)
  const query = transferQuery(payment)
  const status = await deps.chain.authorizationStatus(query)
  if (!status.spent) {
    return status.blockTime >= validBefore(payment) ? { kind: 'lapsed' } : { kind: 'open', mayStillBePaid: true }
  }
  const fate = await deps.chain.authorizationOutcome(query, after(payment.createdAt, -searchBackMs))
  if (fate.kind === 'cancelled') return { kind: 'unpaid', reason: 'authorization_cancelled' }
  if (fate.kind !== 'transferred') return { kind: 'unpaid', reason: 'authorization_already_used' }
  if (fate.blockTime < after(payment.createdAt, -skewMs))
    return { kind: 'unpaid', reason: 'authorization_already_used' }
  if (fate.confirmations < deps.config.minConfirmations) return { kind: 'open', mayStillBePaid: false }
  return { kind: 'paid', transfer: fate }
}

/** The dev chain without a facilitator settles nothing, so nothing can be found: only time decides. */
function withoutSettlement(deps: RequestDeps, payment: Payment): ChainVerdict {
  return deps.now() >= validBefore(payment) ? { kind: 'lapsed' } : { kind: 'open', mayStillBePaid: true }
}
