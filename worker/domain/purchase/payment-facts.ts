import type { Payment } from '../../../db/queries/payment-row.ts'
import type { PaymentState } from '../../../protocol/problems.ts'
import { expiryMarginMs } from './leases.ts'

/** When this payment's runs began: its settlement, or the time an operator had it tried again. */
export const runsSince = (payment: Payment): Date => payment.rerunAt ?? payment.settledAt ?? payment.updatedAt

/** When the authorization expires, by the chain's clock. */
export const validBefore = (payment: Payment): Date => new Date(Number(payment.authorization.validBefore) * 1000)

/** When the chain can show whether the authorization expired unused. */
export const expiryCheckAt = (payment: Payment): Date => after(validBefore(payment), expiryMarginMs)

/** The time `ms` milliseconds later. */
export const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/** Where a purchase can be read. */
export const statusUrl = (inferenceId: string): string => `/api/inference/${inferenceId}`

/** The state of a payment for a caller without a proof of its wallet: `unused` only where the journal says so. */
export function paymentStateOf(payment: Payment | null): PaymentState {
  if (payment === null || payment.state === 'rejected') return 'unused'
  if (payment.state === 'unknown') return 'unknown'
  return payment.state === 'claimed' || payment.state === 'settling' ? 'in_flight' : 'settled'
}
