import type { Payment } from '../../../db/queries/payment-row.ts'
import type { TransferQuery } from '../../upstreams/chain/chain.ts'
import { makeRequirements } from '../../x402/requirements.ts'
import type { PaymentPayload, PaymentRequirements } from '../../x402/schemas.ts'

const payToOf = (payment: Payment): `0x${string}` => `0x${payment.terms.payTo.slice(2)}`

/**
 * The request to the facilitator, built from the journal alone: the worker's copy of the requirements, without the quote and
 * without the client's `resource`.
 */
export function settlementRequest(payment: Payment): { payload: PaymentPayload; requirements: PaymentRequirements } {
  const requirements = makeRequirements(
    `eip155:${payment.chainId}`,
    payment.asset,
    payment.amountAtomic.toString(),
    payToOf(payment),
    payment.terms.domain,
  )
  return {
    requirements,
    payload: {
      x402Version: 2,
      payload: { authorization: payment.authorization, signature: payment.signature },
      accepted: requirements,
    },
  }
}

/** The transfer that pays this payment, as it is looked for on chain. */
export const transferQuery = (payment: Payment): TransferQuery => ({
  chainId: payment.chainId,
  asset: payment.asset,
  payer: payment.payer,
  payTo: payToOf(payment),
  amount: payment.amountAtomic,
  nonce: payment.nonce,
})
