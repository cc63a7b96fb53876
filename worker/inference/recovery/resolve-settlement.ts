import type { Payment } from '../../../db/queries/payment-row.ts'
import { after, type Driver, move, type StepResult, validBefore } from '../driver.ts'
import { resendValidityMs, settleLeaseMs } from '../leases.ts'
import { markPaid, settle } from '../steps/settle.ts'
import { checkOnChain } from './chain-check.ts'

/**
 * A payment that may have been made: the chain decides. The buyer's own call may send an unspent authorization once more,
 * which EIP-3009 makes harmless. All other drivers only read.
 */
export async function resolveSettlement(driver: Driver, payment: Payment): Promise<StepResult> {
  const check = await checkOnChain(driver.deps, payment)
  if (check.kind === 'paid') return markPaid(driver, payment, check.transfer.transaction, check.transfer)
  if (check.kind === 'unpaid') return { kind: 'refused', payment, reason: check.reason }
  if (check.kind === 'expired') return { kind: 'expired', payment }
  if (check.mayStillBePaid && mayResend(driver, payment)) return resend(driver, payment)
  return { kind: 'unclear', payment, reason: payment.reason ?? 'settlement_not_found_yet' }
}

const mayResend = (driver: Driver, payment: Payment): boolean =>
  driver.maySettle && driver.phase === 'unsent' && canStillSettle(driver.deps.now(), payment)

/** Whether the authorization stays valid long enough to be sent to `/settle` now. */
export const canStillSettle = (now: Date, payment: Payment): boolean =>
  after(now, resendValidityMs) <= validBefore(payment)

async function resend(driver: Driver, payment: Payment): Promise<StepResult> {
  const leaseUntil = after(driver.deps.now(), settleLeaseMs)
  const marked = await move(driver, payment, 'mark_settling', { leaseUntil, nextAttemptAt: leaseUntil })
  return marked === null ? { kind: 'lost_lease', payment } : settle(driver, marked, { again: true })
}
