import { isUniqueViolation } from '../../../../db/client.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { markSettled } from '../../../../db/queries/payment-transitions.ts'
import { ChainUnavailable, type MinedTransfer } from '../../../upstreams/chain/chain.ts'
import type { Driver, StepResult } from '../driver.ts'
import { confirmFirstPollMs, confirmLeaseMs, confirmPollMs, confirmWithinMs, runLeaseMs } from '../leases.ts'
import { logMove, move } from '../move.ts'
import { after } from '../payment-facts.ts'
import { settlementRequest, transferQuery } from '../settlement-request.ts'
import { fromStates } from '../state-machine.ts'

/**
 * Sends `/settle`, once per driver. Only a clear yes that the chain confirms leads on; anything unclear is for the chain.
 * With `again`, an earlier call may have broadcast the transfer, so a no to this one proves nothing.
 */
export async function settle(driver: Driver, payment: Payment, { again } = { again: false }): Promise<StepResult> {
  const { deps } = driver
  driver.progress.settlement = 'sent'
  const { payload, requirements } = settlementRequest(payment)
  const outcome = await deps.facilitator.settle(payload, requirements)
  if (outcome.kind === 'settled') return confirm(driver, payment, outcome.transaction)
  const { reason } = outcome
  if (outcome.kind === 'unknown' && outcome.transaction !== undefined) {
    return { kind: 'unclear', payment, reason, sent: outcome.transaction }
  }
  // Without a facilitator nothing is ever broadcast.
  const mayBeBroadcast = again && deps.config.facilitator !== null
  if (outcome.kind === 'unknown' || mayBeBroadcast) return { kind: 'unclear', payment, reason }
  return afterRefusal(driver, payment, reason)
}

/** A no counts only while the nonce is unspent. */
async function afterRefusal(driver: Driver, payment: Payment, reason: string): Promise<StepResult> {
  const { deps } = driver
  const refused: StepResult = { kind: 'refused', payment, reason, settleRefused: true }
  if (deps.config.facilitator === null) return refused
  try {
    const { spent } = await deps.chain.authorizationStatus(transferQuery(payment))
    return spent ? { kind: 'unclear', payment, reason } : refused
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unclear', payment, reason }
    throw error
  }
}

/** Waits for the transfer in a receipt, deep enough. With `MIN_CONFIRMATIONS` 0 the facilitator is believed. */
async function confirm(driver: Driver, payment: Payment, transaction: string): Promise<StepResult> {
  const { deps, arrivedAt } = driver
  if (deps.config.facilitator === null || deps.config.minConfirmations === 0) {
    return markPaid(driver, payment, transaction, null)
  }
  const deadline = after(arrivedAt, confirmWithinMs)
  let current = payment
  let pollMs = confirmFirstPollMs
  for (;;) {
    const found = await transferIn(driver, current, transaction)
    if (found !== null && found.confirmations >= deps.config.minConfirmations) {
      return markPaid(driver, current, transaction, found)
    }
    if (deps.now() >= deadline) return { kind: 'unclear', payment: current, reason: 'not_confirmed', sent: transaction }
    const renewed = await renewWhileConfirming(driver, current, deadline)
    if (renewed === null) return { kind: 'lost_lease', payment: current }
    current = renewed
    await deps.sleep(Math.min(pollMs, deadline.getTime() - deps.now().getTime()))
    pollMs = Math.min(pollMs * 2, confirmPollMs)
  }
}

async function renewWhileConfirming(driver: Driver, payment: Payment, deadline: Date): Promise<Payment | null> {
  const until = after(deadline, confirmLeaseMs)
  if (payment.leaseUntil !== null && payment.leaseUntil >= until) return payment
  return move(driver, payment, 'mark_settling', { leaseUntil: until, nextAttemptAt: until })
}

async function transferIn(driver: Driver, payment: Payment, transaction: string): Promise<MinedTransfer | null> {
  try {
    return await driver.deps.chain.transferIn(transferQuery(payment), `0x${transaction.slice(2)}`)
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}

/**
 * Writes the settled mark. The bare hash is stored; where another payment has it (one transaction settled several), the log
 * index of this nonce's transfer is added.
 */
export async function markPaid(
  driver: Driver,
  payment: Payment,
  transaction: string,
  found: MinedTransfer | null,
): Promise<StepResult> {
  driver.progress.transaction = transaction
  try {
    return await mark(driver, payment, transaction)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const transfer = found ?? (await transferIn(driver, payment, transaction))
    if (transfer === null) return { kind: 'unclear', payment, reason: 'hash_taken' }
    driver.deps.log.info('payment.shared_transaction', { inferenceId: payment.inferenceId })
    return mark(driver, payment, `${transaction}#${transfer.logIndex}`)
  }
}

async function mark(driver: Driver, payment: Payment, txHash: string): Promise<StepResult> {
  const { deps } = driver
  const now = deps.now()
  const leaseUntil = after(now, runLeaseMs)
  const settled = await markSettled(deps.database, {
    lease: driver.lease,
    from: fromStates('pay', 'settled'),
    now,
    leaseUntil,
    txHash,
  })
  if (settled === null) return { kind: 'lost_lease', payment }
  logMove(driver, payment, 'pay', 'settled')
  driver.progress.markedSettled = true
  driver.emit({ event: 'settled', payment: settled })
  return { kind: 'moved', payment: settled }
}
