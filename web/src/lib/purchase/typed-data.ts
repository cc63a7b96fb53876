import type { Offer, Quote } from './quote.ts'

/** The longest a signature may be good for: wallets on phones and devices take minutes. */
const LONGEST_VALIDITY_SECONDS = 600

/** EIP-3009 message; integers as decimal strings. */
export interface Authorization {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
}

const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Last second at which a payment signed now can settle: ten minutes on, never past the quote. Unix seconds. */
export function validBefore(quote: Pick<Quote, 'expiresAt'>, now: Date): number {
  const latest = Math.floor(now.getTime() / 1000) + LONGEST_VALIDITY_SECONDS
  return quote.expiresAt === null ? latest : Math.min(latest, Math.floor(quote.expiresAt.getTime() / 1000))
}

/** What is signed: exactly what the sheet shows. The nonce is 32 random bytes. */
export function authorize(offer: Offer, from: string, validBeforeSeconds: number): Authorization {
  const random = crypto.getRandomValues(new Uint8Array(32))
  return {
    from,
    to: offer.payTo,
    value: offer.amount,
    validAfter: '0',
    validBefore: String(validBeforeSeconds),
    nonce: `0x${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  }
}

/** The EIP-712 document for `eth_signTypedData_v4`. */
export function typedData(offer: Offer, authorization: Authorization) {
  return {
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    domain: { name: offer.name, version: offer.version, chainId: offer.chainId, verifyingContract: offer.asset },
    message: authorization,
  }
}

/** The `Payment-Signature` header: base64 of the x402 version 2 payload, with what the quote wants echoed. */
export function paymentHeader(quote: Quote, offer: Offer, authorization: Authorization, signature: string): string {
  const payload = {
    x402Version: 2,
    payload: { authorization, signature },
    ...(quote.resource === null ? {} : { resource: quote.resource }),
    accepted: offer.entry,
    extensions: quote.extensions,
  }
  const bytes = new TextEncoder().encode(JSON.stringify(payload))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
