/** x402's extension for signed offers in a 402 and signed receipts in a result. */
export const OFFER_RECEIPT = 'offer-receipt'

/** EIP-712 domain of signed offers. Source: x402 specification, extension offer-receipt. The chain id is always 1. */
export const OFFER_DOMAIN = { name: 'x402 offer', version: '1', chainId: 1 } as const

/** The fields of a signed offer, in the order they are signed. */
export const OFFER_TYPES = {
  Offer: [
    { name: 'version', type: 'uint256' },
    { name: 'resourceUrl', type: 'string' },
    { name: 'scheme', type: 'string' },
    { name: 'network', type: 'string' },
    { name: 'asset', type: 'string' },
    { name: 'payTo', type: 'string' },
    { name: 'amount', type: 'string' },
    { name: 'validUntil', type: 'uint256' },
  ],
} as const

/** A price that a service stands by until `validUntil`. */
export interface OfferPayload {
  version: number
  resourceUrl: string
  scheme: string
  /** CAIP-2. */
  network: string
  asset: string
  payTo: string
  /** Atomic units. */
  amount: string
  /** Unix seconds. */
  validUntil: number
}

/** EIP-712 domain of x402's own receipts. Source: x402 specification, extension offer-receipt. The chain id is always 1. */
export const X402_RECEIPT_DOMAIN = { name: 'x402 receipt', version: '1', chainId: 1 } as const

/** The fields of x402's own receipt, in the order they are signed. */
export const X402_RECEIPT_TYPES = {
  Receipt: [
    { name: 'version', type: 'uint256' },
    { name: 'network', type: 'string' },
    { name: 'resourceUrl', type: 'string' },
    { name: 'payer', type: 'string' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'transaction', type: 'string' },
  ],
} as const
