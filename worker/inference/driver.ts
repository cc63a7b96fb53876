import type { InferenceRecord } from '../../db/queries/inference-row.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import { type Lease, type Transition, transitionPayment } from '../../db/queries/payment-transitions.ts'
import type { PaymentState } from '../../protocol/problems.ts'
import type { RequestDeps } from '../context.ts'
import type { AppError } from '../errors.ts'
import type { WakeUp } from '../wake-ups/waker.ts'
import { expiryMarginMs } from './leases.ts'
import { fromStates, type PaymentEvent, transition } from './state-machine.ts'
import type { RunSearch } from './steps/find-prediction.ts'

/** What happens in a purchase, in order, for callers that watch it. The end is the answer. */
export type PurchaseEvent =
  | { event: 'verified' }
  | { event: 'settled'; payment: Payment }
  | { event: 'running'; log: string | null; seconds: number }
  | { event: 'token'; text: string }
  | { event: 'stored' }

/** What a paid call is answered with. */
export type PurchaseAnswer =
  | { kind: 'ended'; payment: Payment; record: InferenceRecord }
  /** Settled; a later try is due or the model still runs. */
  | { kind: 'pending'; payment: Payment }
  /** Another driver has the lease. */
  | { kind: 'in_progress'; payment: Payment }
  /** The money may have moved; the chain decides. */
  | { kind: 'unknown'; payment: Payment; transaction?: string }
  /** Certainly not paid. `settleRefused` when `/settle` itself said no. */
  | { kind: 'rejected'; code: 'payment_rejected' | 'quote_expired'; reason: string; settleRefused: boolean }
  | { kind: 'problem'; error: AppError }
  /** The call's proof is not good for this payment; the row, if there is one, is not shown. */
  | { kind: 'unproven'; payment: Payment | null }

/** One holder of a payment's lease. It moves the payment forward. */
export interface Driver {
  readonly deps: RequestDeps
  readonly lease: Lease
  /** `buyer`: the call that brought the payment, which may wait for the model. `reconciler`: all other drivers. */
  readonly role: 'buyer' | 'reconciler'
  /** Whether this driver may send `/verify` and `/settle`. */
  readonly maySettle: boolean
  /** New claims and re-sent settlements the wallet may make per minute; null for no limit. */
  readonly paidLimit: number | null
  /** When its call arrived, or its lease was taken. */
  readonly arrivedAt: Date
  /** Whether the caller waits for the result alone: it reads no events and wants no earlier answer. */
  readonly awaitsResult: boolean
  readonly emit: (event: PurchaseEvent) => void
  /** The prediction a webhook named. This driver reads that one only, and starts none. */
  readonly hint?: string
  /** The search of the provider's list that the drives of a batch share. */
  readonly search?: RunSearch
  /** A try before its time, which is not counted: after a failure the next one stays planned for `plannedAt`. */
  readonly early?: { readonly plannedAt: Date; failed: boolean }
  /**
   * What this driver has sent to the facilitator: nothing for its own new claim, nothing for a claim that an earlier driver may have
   * sent, `/verify` with a yes, or `/settle`.
   */
  phase: 'new' | 'unsent' | 'verified' | 'sent'
  /** The hash of the transfer, once this driver knows that it was made. */
  transaction?: string
  /** This driver's own statement marked the row settled, so no prediction existed before. */
  markedSettled: boolean
  /** Its start of a run is held, and the run's id is not written yet. */
  holdsStart?: boolean
}

/** What a step found. `conclude` writes it to the journal. */
export type StepResult =
  /** The row is in its next state; the drive continues. */
  | { kind: 'moved'; payment: Payment }
  /** Another driver has the lease, or the purchase has ended. */
  | { kind: 'lost_lease'; payment: Payment }
  /** `/verify` did not answer; nothing was sent to `/settle`. */
  | { kind: 'unverified'; payment: Payment; detail: string }
  /** A clear no. `settleRefused` when `/settle` said it; `dropInput` when nothing was sent there, so the input is not kept. */
  | { kind: 'refused'; payment: Payment; reason: string; settleRefused?: boolean; dropInput?: boolean }
  /** The money may have moved. `sent` is the transaction the facilitator named. */
  | { kind: 'unclear'; payment: Payment; reason: string; sent?: string }
  /** Unspent in a block whose own time is past `validBefore`. */
  | { kind: 'expired'; payment: Payment }
  /** Not paid; nothing changed but the time of the next check. */
  | { kind: 'unpaid'; payment: Payment }
  /** Settled; the model still runs, or it is too early to start it. */
  | { kind: 'waiting'; payment: Payment; nextAttemptAt: Date; reason?: null }
  /** Settled; provider or storage cannot be reached. `retryAfterMs` is what the provider asks for. */
  | { kind: 'retry'; payment: Payment; reason: string; atLeastMs?: number; retryAfterMs?: number }
  /** Settled; the run failed for good. */
  | { kind: 'failed'; payment: Payment; error: { code: string; detail: string } }
  | { kind: 'ended'; payment: Payment; record: InferenceRecord }

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

export const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** When this payment's runs began: its settlement, or the time an operator had it tried again. */
export const runsSince = (payment: Payment): Date => payment.rerunAt ?? payment.settledAt ?? payment.updatedAt

/** When the authorization expires, by the chain's clock. */
export const validBefore = (payment: Payment): Date => new Date(Number(payment.authorization.validBefore) * 1000)

/** When the chain can show whether the authorization expired unused. */
export const expiryCheckAt = (payment: Payment): Date => after(validBefore(payment), expiryMarginMs)

/** Where a purchase can be read. */
export const statusUrl = (inferenceId: string): string => `/api/inference/${inferenceId}`

/** What a caller may learn of a payment without a proof of its wallet: `unused` only where the journal says so. */
export function paymentStateOf(payment: Payment | null): PaymentState {
  if (payment === null || payment.state === 'rejected') return 'unused'
  if (payment.state === 'unknown') return 'unknown'
  return payment.state === 'claimed' || payment.state === 'settling' ? 'in_flight' : 'settled'
}
