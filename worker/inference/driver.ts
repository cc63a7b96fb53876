import type { InferenceRecord } from '../../db/queries/inference-row.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import { type Lease, type Transition, transitionPayment } from '../../db/queries/payment-transitions.ts'
import type { RequestDeps } from '../context.ts'
import type { AppError } from '../errors.ts'
import { fromStates, type PaymentEvent, transition } from './state-machine.ts'

/** What a purchase tells those who watch it, in order; the end comes as the answer. */
export type PurchaseEvent =
  | { event: 'verified' }
  | { event: 'settled'; payment: Payment }
  | { event: 'running'; log: string | null; seconds: number }
  | { event: 'token'; text: string }
  | { event: 'stored' }

/** Where a purchase came to rest. */
export type PurchaseAnswer =
  | { kind: 'ended'; payment: Payment; record: InferenceRecord }
  /** Settled; a later try is due or the model still runs. */
  | { kind: 'pending'; payment: Payment }
  /** Another driver has the lease. */
  | { kind: 'in_progress'; payment: Payment }
  /** The money may have moved; the chain will tell. */
  | { kind: 'unknown'; payment: Payment; transaction?: string }
  /** Not paid, for certain. `settleRefused` when `/settle` itself said no. */
  | { kind: 'rejected'; code: 'payment_rejected' | 'quote_expired'; reason: string; settleRefused: boolean }
  | { kind: 'problem'; error: AppError }

/** One holder of a payment's lease, working it forward. */
export interface Driver {
  deps: RequestDeps
  lease: Lease
  /** The buyer's own call: the only one that may send `/verify` and `/settle`, and the only one that waits for the model. */
  buyer: boolean
  arrivedAt: Date
  emit(event: PurchaseEvent): void
  /** This driver's own claim is the first, or the first since a rejection: nothing of it was ever sent. */
  fresh: boolean
  /** Verified by this driver a moment ago: `/settle` may be sent without asking the chain first. */
  verified: boolean
  /** This driver sent `/settle` once; it does not again. */
  settleSent: boolean
  /** This driver's own statement marked the row settled: no prediction can exist yet. */
  markedSettled: boolean
  /** A run that a webhook named. This driver looks at it and at no other, and starts none. */
  hint?: string
  /** The hash of a transfer that is known to be made, while the settled mark is not written. */
  transaction?: string
}

/** The next state, or the end of this drive. */
export type Step = { kind: 'moved'; payment: Payment } | { kind: 'rest'; answer: PurchaseAnswer }

export const rest = (answer: PurchaseAnswer): Step => ({ kind: 'rest', answer })

/** A move as the transition table allows it. Null when the lease was lost: somebody else drives now. */
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
  if (moved !== null && to !== payment.state) logMove(driver, payment, event, to, patch.reason)
  return moved
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

export const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** When this payment's runs began: its settlement, or the time an operator had it tried again. */
export const runsSince = (payment: Payment): Date => payment.rerunAt ?? payment.settledAt ?? payment.updatedAt

/** When the authorization stops being valid, by the chain's clock. */
export const validBefore = (payment: Payment): Date => new Date(Number(payment.authorization.validBefore) * 1000)

/** A little past `validBefore`, when a block of that time should be there. */
export const lookTime = (payment: Payment): Date => after(validBefore(payment), 5_000)
