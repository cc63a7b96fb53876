import type { Payment } from '../../../../db/queries/payment-row.ts'
import { textPieces } from '../../../upstreams/provider/output.ts'
import type { Prediction } from '../../../upstreams/provider/provider.ts'
import type { RequestDeps } from '../../deps.ts'
import { after, runsSince } from '../payment-facts.ts'
import type { PurchaseAnswer, PurchaseEvent } from '../purchase-answer.ts'
import { type PurchaseView, readShared } from './shared-read.ts'

/** A stream ends after this long, its purchase or not. */
export const followForMs = 10 * 60_000
const firstWaitMs = 500
const maxWaitMs = 5_000

/** The client of a follower: where to send, and whether it is still there. */
export interface Follower {
  emit(event: PurchaseEvent): void
  isGone(): boolean
}

/**
 * Follows a purchase that another driver has: its row and its prediction are read, together with all other followers, and
 * nothing is changed. Ends with the purchase, with its client, or with null when the other driver's lease is over and the
 * caller should take the payment itself.
 */
export async function followPurchase(
  deps: RequestDeps,
  payment: Payment,
  follower: Follower,
  arrivedAt: Date,
): Promise<PurchaseAnswer | null> {
  const show = makeProgress(deps, follower)
  let waitMs = firstWaitMs
  let current = payment
  for (;;) {
    const view = await readShared(deps, current)
    current = view.payment
    show(view)
    const { record } = view
    if (record !== null && record.status !== 'pending') return { kind: 'ended', payment: current, record }
    const now = deps.now()
    if (follower.isGone()) return { kind: 'in_progress', payment: current }
    const isFree = current.leaseUntil === null || current.leaseUntil <= now
    if (isFree) return isPutOff(current, now) ? { kind: 'pending', payment: current } : null
    if (now >= after(arrivedAt, followForMs)) {
      return { kind: current.state === 'settled' ? 'pending' : 'in_progress', payment: current }
    }
    await deps.sleep(waitMs)
    waitMs = Math.min(waitMs * 1.3, maxWaitMs)
  }
}

/** A try failed and the next is due later. A run that only needs time has no reason, and is followed further. */
const isPutOff = ({ state, reason, nextAttemptAt }: Payment, now: Date): boolean =>
  state === 'settled' && reason !== null && nextAttemptAt !== null && nextAttemptAt > now

/** Emits what is new in each view: the settlement once, then the log line, the seconds and pieces of text. */
function makeProgress(deps: RequestDeps, { emit }: Follower): (view: PurchaseView) => void {
  let isSettled = false
  let last: Prediction | null = null
  let output: unknown = null
  return ({ payment, prediction }) => {
    if (!isSettled && payment.txHash !== null) {
      isSettled = true
      emit({ event: 'settled', payment })
    }
    if (prediction === null || prediction === last) return
    last = prediction
    const seconds = Math.round((deps.now().getTime() - runsSince(payment).getTime()) / 1000)
    emit({ event: 'running', log: prediction.lastLog, seconds })
    const text = payment.request.task === 'text-to-text' ? textPieces(output, prediction.output) : ''
    if (text !== '') emit({ event: 'token', text })
    output = prediction.output ?? output
  }
}
