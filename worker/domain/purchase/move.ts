import type { Payment } from '../../../db/queries/payment-row.ts'
import { type Transition, transitionPayment } from '../../../db/queries/payment-transitions.ts'
import type { WakeUp } from '../../upstreams/queue/waker.ts'
import type { RequestDeps } from '../deps.ts'
import type { Driver } from './driver.ts'
import { fromStates, type PaymentEvent, transition } from './state-machine.ts'

/**
 * Moves the row as the state machine allows and returns it.
 * Returns null when the lease was lost; then another driver has the row and nothing changed.
 */
export async function move(
  driver: Driver,
  payment: Payment,
  event: PaymentEvent,
  patch: Omit<Transition, 'lease' | 'from' | 'to' | 'now'>,
): Promise<Payment | null> {
  const to = transition(payment.state, event)
  if (to === null) throw new Error(`illegal move: ${event} in ${payment.state}`)
  const now = driver.deps.now()
  const moved = await transitionPayment(driver.deps.database, {
    lease: driver.lease,
    from: fromStates(event, to),
    to,
    now,
    ...patch,
  })
  if (moved !== null && patch.leaseUntil === null) wakeWhenDue(driver, moved)
  if (moved !== null && to !== payment.state) logMove(driver, payment, event, to, patch.reason)
  return moved
}

/** Has a worker look at this after `at`, where wake-ups are sent. It takes no time, and a failure is left to the scheduled job. */
export function wakeAt({ waker, waitUntil }: RequestDeps, wakeUp: WakeUp, at: Date): void {
  if (waker !== undefined) waitUntil(waker.wake(wakeUp, at))
}

/** Where money may have moved, what is left to do is done when it is due, also without the buyer. */
function wakeWhenDue({ deps }: Driver, { state, inferenceId, nextAttemptAt }: Payment): void {
  if (nextAttemptAt !== null && state !== 'claimed' && state !== 'rejected')
    wakeAt(deps, { inferenceId }, nextAttemptAt)
}

/** One line per change of state: the journal's history for an operator. */
export function logMove(
  driver: Driver,
  payment: Payment,
  event: PaymentEvent,
  to: string,
  reason?: string | null,
): void {
  driver.deps.log.info('payment.moved', {
    inferenceId: payment.inferenceId,
    from: payment.state,
    by: event,
    to,
    ...(reason === undefined || reason === null ? {} : { reason }),
  })
}
