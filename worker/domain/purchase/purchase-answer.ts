import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import type { AppError } from '../../errors.ts'

/** The events of a purchase, in order, for callers that watch it. The end is the answer. */
export type PurchaseEvent =
  | { event: 'verified' }
  | { event: 'settled'; payment: Payment }
  | { event: 'running'; log: string | null; seconds: number }
  | { event: 'token'; text: string }
  | { event: 'stored' }

/** The answer to a paid call. */
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
