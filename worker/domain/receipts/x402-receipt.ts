import { getAddress, type Hex } from 'viem'
import { signTypedData } from 'viem/accounts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { toHeader } from '../../../protocol/base64.ts'
import { OFFER_RECEIPT, X402_RECEIPT_DOMAIN, X402_RECEIPT_TYPES } from '../../../protocol/offer.ts'
import type { Config } from '../../config/config.ts'
import { endpointPath } from '../auth/origin.ts'
import { settledHeaders, settlementOf } from '../purchase/views/present.ts'

/** x402's own receipt: this wallet paid for this resource. The one of `/receipt` also says what was delivered. */
interface X402Receipt {
  format: 'eip712'
  payload: {
    version: 1
    network: string
    resourceUrl: string
    payer: string
    /** Unix seconds. */
    issuedAt: number
    transaction: string
  }
  signature: Hex
}

/**
 * The headers of a result: `Payment-Response`, with x402's receipt where the deployment signs receipts. `path` is the
 * request's; the receipt names the one that its caller knows, e.g. `/mcp`. The same payment gets the same receipt again.
 */
export async function resultHeaders(config: Config, payment: Payment, path: string): Promise<Record<string, string>> {
  const settlement = settlementOf(payment)
  if (settlement === null || config.receiptSigningKey === undefined) return settledHeaders(payment)
  const receipt = await sign(config.receiptSigningKey, {
    version: 1,
    network: settlement.network,
    resourceUrl: config.publicOrigins[0] + endpointPath(path),
    payer: getAddress(payment.payer),
    issuedAt: Math.floor((payment.settledAt ?? payment.updatedAt).getTime() / 1000),
    transaction: settlement.transaction,
  })
  const extensions = { [OFFER_RECEIPT]: { info: { receipt }, schema: {} } }
  return { 'Payment-Response': toHeader({ ...settlement, extensions }) }
}

async function sign(privateKey: Hex, payload: X402Receipt['payload']): Promise<X402Receipt> {
  const message = { ...payload, version: 1n, issuedAt: BigInt(payload.issuedAt) }
  const signature = await signTypedData({
    domain: X402_RECEIPT_DOMAIN,
    types: X402_RECEIPT_TYPES,
    primaryType: 'Receipt',
    message,
    privateKey,
  })
  return { format: 'eip712', payload, signature }
}
