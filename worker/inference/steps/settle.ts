import { isUniqueViolation } from '../../../db/client.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { markSettled } from '../../../db/queries/payment-transitions.ts'
import { ChainUnavailable, type FoundTransfer } from '../../chain/chain.ts'
import { after, type Driver, logMove, move, rest, type Step, validBefore } from '../driver.ts'
import { transferQuery } from '../recovery/chain-check.ts'
import { fromStates } from '../state-machine.ts'
import { settlementRequest } from './settlement-request.ts'
import { refuse } from './verify.ts'

/** A call is answered by then, mined or not. */
const confirmWithinMs = 50_000
const confirmPollMs = 500
/** Long enough to start a prediction and write its id. */
export const runLeaseMs = 30_000

/**
 * Sends `/settle`, once per driver. Only a clear yes that the chain bears out leads on; anything unclear is for the chain.
 * With `again`, an earlier call may have broadcast the transfer: a no to this one proves nothing about that.
 */
export async function settle(driver: Driver, payment: Payment, { again } = { again: false }): Promise<Step> {
  const { deps } = driver
  driver.verified = false
  driver.settleSent = true
  const { payload, requirements } = settlementRequest(payment)
  const outcome = await deps.facilitator.settle(payload, requirements)
  if (outcome.kind === 'settled') return confirm(driver, payment, outcome.transaction)
  // Without a facilitator nothing is ever on its way.
  const mayBeOnItsWay = again && deps.config.facilitator !== null
  if (outcome.kind === 'unknown' || mayBeOnItsWay) return unclear(driver, payment, outcome.reason)
  return afterRefusal(driver, payment, outcome.reason)
}

/** A no counts only while the nonce is unspent. */
async function afterRefusal(driver: Driver, payment: Payment, reason: string): Promise<Step> {
  const { deps } = driver
  if (deps.config.facilitator === null) return refuse(driver, payment, reason, { settleRefused: true })
  try {
    const { spent } = await deps.chain.authorizationStatus(transferQuery(payment))
    return spent ? unclear(driver, payment, reason) : refuse(driver, payment, reason, { settleRefused: true })
  } catch (error) {
    if (error instanceof ChainUnavailable) return unclear(driver, payment, reason)
    throw error
  }
}

/** Finds the transfer in a receipt, deep enough, before anything runs; with no confirmations asked the facilitator is believed. */
async function confirm(driver: Driver, payment: Payment, transaction: string): Promise<Step> {
  const { deps, arrivedAt } = driver
  if (deps.config.facilitator === null || deps.config.minConfirmations === 0) {
    return markPaid(driver, payment, transaction, null)
  }
  const deadline = after(arrivedAt, confirmWithinMs)
  let current = payment
  for (;;) {
    const found = await transferIn(driver, current, transaction)
    if (found !== null && found.confirmations >= deps.config.minConfirmations) {
      return markPaid(driver, current, transaction, found)
    }
    if (deps.now() >= deadline) return unclear(driver, current, 'not_confirmed')
    const renewed = await renewWhileConfirming(driver, current, deadline)
    if (renewed === null) return rest({ kind: 'in_progress', payment: current })
    current = renewed
    await deps.sleep(confirmPollMs)
  }
}

async function renewWhileConfirming(driver: Driver, payment: Payment, deadline: Date): Promise<Payment | null> {
  const until = after(deadline, 5_000)
  if (payment.leaseUntil !== null && payment.leaseUntil >= until) return payment
  return move(driver, payment, 'mark_settling', { leaseUntil: until, nextAttemptAt: until })
}

async function transferIn(driver: Driver, payment: Payment, transaction: string): Promise<FoundTransfer | null> {
  try {
    return await driver.deps.chain.transferIn(transferQuery(payment), `0x${transaction.slice(2)}`)
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}

/**
 * The settled mark. The bare hash is stored; where another payment holds it (one transaction settled several), the log index
 * of this nonce's own transfer is added.
 */
export async function markPaid(
  driver: Driver,
  payment: Payment,
  transaction: string,
  found: FoundTransfer | null,
): Promise<Step> {
  const { deps } = driver
  driver.transaction = transaction
  try {
    return await mark(driver, payment, transaction)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const own = found ?? (await transferIn(driver, payment, transaction))
    if (own === null) return unclear(driver, payment, 'hash_taken')
    deps.log.info('payment.shared_transaction', { inferenceId: payment.inferenceId })
    return mark(driver, payment, `${transaction}#${own.logIndex}`)
  }
}

async function mark(driver: Driver, payment: Payment, txHash: string): Promise<Step> {
  const { deps } = driver
  const now = deps.now()
  const leaseUntil = after(now, runLeaseMs)
  const settled = await markSettled(deps.database, {
    lease: driver.lease,
    from: fromStates('pay', 'settled'),
    to: 'settled',
    now,
    leaseUntil,
    nextAttemptAt: leaseUntil,
    reason: null,
    attempts: 0,
    txHash,
  })
  if (settled === null) return rest({ kind: 'in_progress', payment })
  logMove(driver, payment, 'pay', 'settled')
  driver.markedSettled = true
  driver.emit({ event: 'settled', payment: settled })
  return { kind: 'moved', payment: settled }
}

/** Gives the row back as not known; the same header, a status call or the scheduled job asks the chain next. */
export async function unclear(driver: Driver, payment: Payment, reason: string): Promise<Step> {
  const { deps } = driver
  const moved = await move(driver, payment, 'unclear', {
    leaseUntil: null,
    nextAttemptAt: nextLook(payment, deps.now()),
    reason,
  })
  const transaction = driver.transaction
  return rest({ kind: 'unknown', payment: moved ?? payment, ...(transaction === undefined ? {} : { transaction }) })
}

/** Often while the transfer may be mined at any moment, seldom when it has been quiet for long. */
function nextLook(payment: Payment, now: Date): Date {
  const silentMs = now.getTime() - validBefore(payment).getTime()
  return after(now, silentMs < 120_000 ? 10_000 : 300_000)
}
