import type { Payment } from '../../../db/queries/payment-row.ts'
import { makeRequirements } from '../../payments/requirements.ts'
import { authorizationSchema, type PaymentPayload, type PaymentRequirements } from '../../payments/schemas.ts'

/** What goes to the facilitator, rebuilt from the journal alone: our own copy of the requirements, no quote, no resource. */
export function settlementRequest(payment: Payment): { payload: PaymentPayload; requirements: PaymentRequirements } {
  const requirements = makeRequirements(
    `eip155:${payment.chainId}`,
    payment.asset,
    payment.amountAtomic.toString(),
    `0x${payment.terms.payTo.slice(2)}`,
    payment.terms.domain,
  )
  const authorization = authorizationSchema().parse(payment.authorization)
  return {
    requirements,
    payload: { x402Version: 2, payload: { authorization, signature: payment.signature }, accepted: requirements },
  }
}
