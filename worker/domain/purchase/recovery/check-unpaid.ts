import type { Payment } from '../../../../db/queries/payment-row.ts'
import { purgePayment } from '../../../../db/queries/payment-transitions.ts'
import type { Driver, StepResult } from '../driver.ts'
import { purgeCheckMs, purgeClaimedMs, purgeRejectedMs } from '../leases.ts'
import { move } from '../move.ts'
import { after, expiryCheckAt, validBefore } from '../payment-facts.ts'
import { markPaid } from '../steps/settle.ts'
import { checkOnChain } from './chain-check.ts'

/**
 * A row that was never sent to `/settle`, or was rejected. Once its authorization has expired the chain is checked once more,
 * since another sender may have submitted it; then the row waits for its purge.
 */
export async function checkUnpaid(driver: Driver, payment: Payment): Promise<StepResult> {
  const { deps } = driver
  const purgeAt = after(payment.createdAt, payment.state === 'claimed' ? purgeClaimedMs : purgeRejectedMs)
  if (payment.chainCheckedAt !== null) {
    if (deps.now() < purgeAt) return checkAgainAt(driver, payment, purgeAt)
    await purgePayment(deps.database, driver.lease)
    return { kind: 'unpaid', payment }
  }
  if (deps.now() < validBefore(payment)) return checkAgainAt(driver, payment, expiryCheckAt(payment))
  const check = await checkOnChain(deps, payment)
  if (check.kind === 'paid') return markPaid(driver, payment, check.transfer.transaction, check.transfer)
  if (check.kind === 'open') return checkAgainAt(driver, payment, after(deps.now(), purgeCheckMs))
  return keepForPurge(driver, payment, purgeAt)
}

async function checkAgainAt(driver: Driver, payment: Payment, nextAttemptAt: Date): Promise<StepResult> {
  await move(driver, payment, 'check_unpaid', { leaseUntil: null, nextAttemptAt })
  return { kind: 'unpaid', payment }
}

/** Notes that the chain was checked. The lease is kept, since a row that is old enough is purged at once. */
async function keepForPurge(driver: Driver, payment: Payment, purgeAt: Date): Promise<StepResult> {
  const now = driver.deps.now()
  const patch = { leaseUntil: after(now, 10_000), nextAttemptAt: purgeAt, chainCheckedAt: now }
  const checked = await move(driver, payment, 'check_unpaid', patch)
  return checked === null ? { kind: 'lost_lease', payment } : { kind: 'moved', payment: checked }
}
