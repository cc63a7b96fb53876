import type { Hex } from 'viem'
import { recoverTypedDataAddress } from 'viem/utils'
import * as z from 'zod'
import { fromHeader } from '../../protocol/base64.ts'
import { OFFER_RECEIPT, X402_RECEIPT_DOMAIN, X402_RECEIPT_TYPES } from '../../protocol/offer.ts'
import { fieldsAt, isFields, parseJson } from '../src/json-fields.ts'
import { ReceiptError } from './errors.ts'
import { address, assertSignedBy, hex } from './receipt.ts'

const schema = z.object({
  format: z.literal('eip712'),
  payload: z.object({
    version: z.literal(1),
    network: z.string(),
    resourceUrl: z.string(),
    payer: address,
    /** Unix seconds, of a year that ISO 8601 writes with four digits. */
    issuedAt: z.int().min(0).max(253_402_300_799),
    transaction: z.string(),
  }),
  signature: hex(130),
})
export type X402Receipt = z.infer<typeof schema>

/**
 * x402's own receipt in a text: in the answer's headers, in the value of `Payment-Response`, in its JSON, or alone. Returns
 * undefined where there is none.
 */
export function findX402Receipt(text: string): unknown {
  const header = /^payment-response:(.*)$/im.exec(text)?.[1] ?? text
  const json = parseJson(text) ?? fromHeader(header.trim())
  if (!isFields(json)) return undefined
  if ('format' in json) return json
  return fieldsAt(fieldsAt(fieldsAt(json, 'extensions'), OFFER_RECEIPT), 'info')['receipt']
}

/** Reads x402's own receipt and recovers its signer. Throws `ReceiptError` when it is invalid, or when the signer is not `signer`. */
export async function verifyX402Receipt(json: unknown, signer?: Hex): Promise<{ receipt: X402Receipt; signedBy: Hex }> {
  const read = schema.safeParse(json)
  if (!read.success) {
    const { path = [], message = '' } = read.error.issues[0] ?? {}
    throw new ReceiptError(`this is not an x402 receipt in its EIP-712 form: ${path.join('.')}: ${message}`)
  }
  const { payload, signature } = read.data
  const message = { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) }
  const recovering = recoverTypedDataAddress({
    domain: X402_RECEIPT_DOMAIN,
    types: X402_RECEIPT_TYPES,
    primaryType: 'Receipt',
    message,
    signature,
  })
  return { receipt: read.data, signedBy: await assertSignedBy(recovering, signer) }
}
