import type { Payment } from '../../../db/queries/payment-row.ts'
import type { PaymentState } from '../../../protocol/problems.ts'

/** Where a purchase can be read. */
export const statusUrl = (inferenceId: string): string => `/api/inference/${inferenceId}`

/** The state of a payment for a caller without a proof of its wallet: `unused` only where the journal says so. */
export function paymentStateOf(payment: Payment | null): PaymentState {
  if (payment === null || payment.state === 'rejected') return 'unused'
  if (payment.state === 'unknown') return 'unknown'
  return payment.state === 'claimed' || payment.state === 'settling' ? 'in_flight' : 'settled'
}
