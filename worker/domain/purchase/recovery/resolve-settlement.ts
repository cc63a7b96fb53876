import type { Payment } from '../../../../db/queries/payment-row.ts'
import { markResend } from '../../../../db/queries/payment-transitions.ts'
import { ChainUnavailable } from '../../../upstreams/chain/chain.ts'
import type { Driver, StepResult } from '../driver.ts'
import { resendValidityMs, settleLeaseMs } from '../leases.ts'
import { logMove } from '../move.ts'
import { after, validBefore } from '../payment-facts.ts'
import { fromStates } from '../state-machine.ts'
import { markPaid, settle } from '../steps/settle.ts'
import { checkOnChain } from './chain-check.ts'

/** `/settle` is sent again at most this often per payment. */
const MAX_RESENDS = 2

/**
 * A payment that may have been made: the chain decides. The buyer's own call may send an unspent authorization once more,
 * which EIP-3009 makes harmless. All other drivers only read.
 */
export async function resolveSettlement(driver: Driver, payment: Payment): Promise<StepResult> {
  const check = await checkOnChain(driver.deps, payment)
  if (check.kind === 'paid') return markPaid(driver, payment, check.transfer.transaction, check.transfer)
  if (check.kind === 'unpaid') return { kind: 'refused', payment, reason: check.reason }
  if (check.kind === 'expired') return { kind: 'expired', payment }
  if (check.mayStillBePaid && (await mayResend(driver, payment))) return resend(driver, payment)
  return { kind: 'unclear', payment, reason: payment.reason ?? 'settlement_not_found_yet' }
}

/** A transaction that reverted would revert again, and cost the facilitator its gas each time. */
async function mayResend(driver: Driver, payment: Payment): Promise<boolean> {
  const { deps } = driver
  const isAllowed =
    driver.maySettle && driver.progress.settlement === 'taken_over' && payment.settleResends < MAX_RESENDS
  if (!isAllowed || !canStillSettle(deps.now(), payment)) return false
  if (payment.sentTxHash === null) return true
  try {
    return !(await deps.chain.isReverted(payment.chainId, payment.sentTxHash))
  } catch (error) {
    if (error instanceof ChainUnavailable) return false
    throw error
  }
}

/** True if the authorization stays valid long enough to be sent to `/settle` now. */
export const canStillSettle = (now: Date, payment: Payment): boolean =>
  after(now, resendValidityMs) <= validBefore(payment)

async function resend(driver: Driver, payment: Payment): Promise<StepResult> {
  const now = driver.deps.now()
  const leaseUntil = after(now, settleLeaseMs)
  const { payment: marked, limited } = await markResend(
    driver.deps.database,
    { lease: driver.lease, from: fromStates('mark_settling', 'settling'), now, leaseUntil },
    { payer: payment.payer, limitPerMinute: driver.paidLimit },
  )
  if (limited) return { kind: 'unclear', payment, reason: payment.reason ?? 'settlement_not_found_yet' }
  if (marked === null) return { kind: 'lost_lease', payment }
  if (payment.state !== 'settling') logMove(driver, payment, 'mark_settling', 'settling')
  return settle(driver, marked, { again: true })
}
