import type { Payment } from '../../../../db/queries/payment-row.ts'
import { classifyReason } from '../../../upstreams/facilitator/facilitator.ts'
import type { Driver, StepResult } from '../driver.ts'
import { settleLeaseMs } from '../leases.ts'
import { move } from '../move.ts'
import { after } from '../payment-facts.ts'
import { settlementRequest } from '../settlement-request.ts'

/** The facilitator's yes. Settle follows. */
interface Verified {
  kind: 'verified'
  payment: Payment
}

/**
 * Asks the facilitator whether the payment is good. A new claim is `settling` already; a `claimed` row of an earlier try is marked
 * meanwhile, so that the mark costs no time. A no is final; without an answer the row is `claimed` again, for the same payment to try
 * again.
 */
export async function verify(driver: Driver, payment: Payment): Promise<StepResult | Verified> {
  const { deps } = driver
  const { payload, requirements } = settlementRequest(payment)
  const [outcome, mark] = await Promise.all([
    deps.facilitator.verify(payload, requirements),
    payment.state === 'settling' ? payment : markSettling(driver, payment).catch((error: Error) => error),
  ])
  if (mark instanceof Error) throw mark
  if (mark === null) return { kind: 'lost_lease', payment }
  if (outcome.kind === 'unavailable') return { kind: 'unverified', payment: mark, detail: outcome.detail }
  if (outcome.kind === 'valid') {
    driver.emit({ event: 'verified' })
    return { kind: 'verified', payment: mark }
  }
  const { reason } = outcome
  // Spent already, perhaps by an earlier try with this payment. The chain decides.
  if (classifyReason(reason) === 'nonce_used') {
    driver.progress.settlement = 'taken_over'
    return { kind: 'moved', payment: mark }
  }
  if (await contradictsRecovery(driver, mark, reason)) return { kind: 'unverified', payment: mark, detail: reason }
  return { kind: 'refused', payment: mark, reason, dropInput: true }
}

function markSettling(driver: Driver, payment: Payment): Promise<Payment | null> {
  const leaseUntil = after(driver.deps.now(), settleLeaseMs)
  return move(driver, payment, 'mark_settling', { leaseUntil, nextAttemptAt: leaseUntil })
}

/** A "bad signature" that the worker recovered to a payer without code is an RPC outage at the facilitator. */
async function contradictsRecovery(driver: Driver, payment: Payment, reason: string): Promise<boolean> {
  if (!payment.signatureRecovered || classifyReason(reason) !== 'signature') return false
  try {
    return !(await driver.deps.chain.hasCode(payment.chainId, payment.payer))
  } catch {
    return true
  }
}
