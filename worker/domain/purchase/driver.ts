import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import type { Lease } from '../../../db/queries/payment-transitions.ts'
import type { RequestDeps } from '../deps.ts'
import type { PurchaseEvent } from './purchase-answer.ts'
import type { RunSearch } from './steps/find-prediction.ts'

/** One holder of a payment's lease. It moves the payment forward. */
export interface Driver {
  readonly deps: RequestDeps
  readonly lease: Lease
  /** `buyer`: the call that brought the payment, which may wait for the model. `reconciler`: all other drivers. */
  readonly role: 'buyer' | 'reconciler'
  /** True if this driver may send `/verify` and `/settle`. */
  readonly maySettle: boolean
  /** New claims and re-sent settlements the wallet may make per minute; null for no limit. */
  readonly paidLimit: number | null
  /** When its call arrived, or its lease was taken. */
  readonly arrivedAt: Date
  /** True if the caller waits for the result alone: it reads no events and wants no earlier answer. */
  readonly awaitsResult: boolean
  readonly emit: (event: PurchaseEvent) => void
  /** The prediction a webhook named. This driver reads that one only, and starts none. */
  readonly hint?: string
  /** The search of the provider's list that the drives of a batch share. */
  readonly search?: RunSearch
  /** A try before its time, which is not counted: after a failure the next one stays planned for `plannedAt`. */
  readonly early?: { readonly plannedAt: Date }
  /** The progress of this drive. */
  readonly progress: Progress
}

/** The progress of one drive: all of a driver that changes. */
export interface Progress {
  /**
   * `fresh_claim`: this driver's own statement wrote the row, as `settling` at once so that no second statement is needed; nothing was
   * sent yet. `taken_over`: this driver sent nothing, an earlier one may have. `sent`: this driver sent `/settle`.
   */
  settlement: 'fresh_claim' | 'taken_over' | 'sent'
  /** The hash of the transfer, once this driver knows that it was made. */
  transaction?: string
  /** This driver's own statement marked the row settled, so no prediction existed before. */
  markedSettled: boolean
  /** Its start of a run is held, and the run's id is not written yet. */
  holdsStart: boolean
  /** Its early try failed. */
  failedEarly: boolean
}

/** Progress at the start of a drive. */
export const startingFrom = (settlement: Progress['settlement']): Progress => ({
  settlement,
  markedSettled: false,
  holdsStart: false,
  failedEarly: false,
})

/** The result of a step. `conclude` writes it to the journal. */
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
