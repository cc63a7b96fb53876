import type { Payment } from '../../../db/queries/payment-row.ts'
import { purgePayment } from '../../../db/queries/payment-transitions.ts'
import { ChainUnavailable } from '../../chain/chain.ts'
import { after, type Driver, lookTime, move, rest, type Step, validBefore } from '../driver.ts'
import { markPaid, settle, unclear } from '../steps/settle.ts'
import { refuse } from '../steps/verify.ts'
import { askChain, type ChainVerdict } from './chain-check.ts'

/** Below this much validity left, sending the transfer once more would be too late. */
const resendMs = 10_000
const hourMs = 3_600_000
const purgeAfterMs = { claimed: hourMs, rejected: 24 * hourMs }

async function ask(driver: Driver, payment: Payment): Promise<ChainVerdict> {
  try {
    return await askChain(driver.deps, payment)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    driver.deps.log.warn('chain.unavailable', { reason: error.message })
    return { kind: 'open', mayStillBePaid: false }
  }
}

/**
 * A payment that may have been made: the chain decides. The buyer's own call may send an unspent authorization once more,
 * which EIP-3009 makes harmless; everybody else only reads.
 */
export async function decide(driver: Driver, payment: Payment): Promise<Step> {
  const verdict = await ask(driver, payment)
  if (verdict.kind === 'paid') return markPaid(driver, payment, verdict.transfer.transaction, verdict.transfer)
  if (verdict.kind === 'unpaid') return refuse(driver, payment, verdict.reason)
  if (verdict.kind === 'lapsed') return lapse(driver, payment)
  const resend = verdict.mayStillBePaid && driver.buyer && !driver.settleSent && hasTime(driver, payment)
  if (!resend) return unclear(driver, payment, payment.reason ?? 'settlement_not_found_yet')
  const leaseUntil = after(driver.deps.now(), 35_000)
  const marked = await move(driver, payment, 'mark_settling', { leaseUntil, nextAttemptAt: leaseUntil })
  return marked === null ? rest({ kind: 'in_progress', payment }) : settle(driver, marked, { again: true })
}

export const hasTime = (driver: Driver, payment: Payment): boolean =>
  after(driver.deps.now(), resendMs) <= validBefore(payment)

async function lapse(driver: Driver, payment: Payment): Promise<Step> {
  const reason = 'authorization_lapsed'
  const moved = await move(driver, payment, 'lapse', {
    leaseUntil: null,
    nextAttemptAt: lookTime(payment),
    reason,
    chainCheckedAt: driver.deps.now(),
  })
  if (moved === null) return rest({ kind: 'in_progress', payment })
  return rest({ kind: 'rejected', code: 'payment_rejected', reason, settleRefused: false })
}

/**
 * A row that was never sent to `/settle`, or was rejected: once its validity is over the chain is looked at once more (somebody
 * else may have submitted it: paid after all), then it waits for its purge.
 */
export async function lookOnceMore(driver: Driver, payment: Payment): Promise<Step> {
  const { deps } = driver
  const purgeAt = after(payment.createdAt, purgeAfterMs[payment.state === 'claimed' ? 'claimed' : 'rejected'])
  if (payment.chainCheckedAt !== null) {
    if (deps.now() < purgeAt) return giveBack(driver, payment, purgeAt)
    await purgePayment(deps.database, driver.lease)
    return rest({
      kind: 'rejected',
      code: 'payment_rejected',
      reason: payment.reason ?? 'unused',
      settleRefused: false,
    })
  }
  if (deps.now() < validBefore(payment)) return giveBack(driver, payment, lookTime(payment))
  const verdict = await ask(driver, payment)
  if (verdict.kind === 'paid') return markPaid(driver, payment, verdict.transfer.transaction, verdict.transfer)
  if (verdict.kind === 'open') return giveBack(driver, payment, after(deps.now(), 60_000))
  const checked = await move(driver, payment, 'look_unpaid', {
    leaseUntil: after(deps.now(), 10_000),
    nextAttemptAt: purgeAt,
    chainCheckedAt: deps.now(),
  })
  return checked === null ? rest({ kind: 'in_progress', payment }) : { kind: 'moved', payment: checked }
}

async function giveBack(driver: Driver, payment: Payment, nextAttemptAt: Date): Promise<Step> {
  await move(driver, payment, 'look_unpaid', { leaseUntil: null, nextAttemptAt })
  return rest({ kind: 'rejected', code: 'payment_rejected', reason: payment.reason ?? 'unused', settleRefused: false })
}
