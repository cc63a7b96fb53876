import type { Hex } from 'viem'
import { signTypedData } from 'viem/accounts'
import type { PaymentRequirements } from './schemas.ts'

/** x402's extension for signed offers in a 402 and signed receipts in a result. */
export const OFFER_RECEIPT = 'offer-receipt'

/** Source: x402 specification, extension offer-receipt, in its EIP-712 form. The chain id is always 1. */
const DOMAIN = { name: 'x402 offer', version: '1', chainId: 1 } as const
const TYPES = {
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

/** A price that this service stands by until `validUntil`, for anyone to check. */
export interface SignedOffer {
  format: 'eip712'
  /** The entry of `accepts` that it signs. */
  acceptIndex: number
  payload: {
    version: 1
    resourceUrl: string
    scheme: 'exact'
    network: string
    asset: string
    payTo: string
    amount: string
    /** Unix seconds. */
    validUntil: number
  }
  signature: Hex
}

/** An offer for each entry of `accepts`, in its order. `validUntil` is in unix seconds. A signature takes about a millisecond. */
export function signOffers(
  privateKey: Hex,
  { resourceUrl, accepts, validUntil }: { resourceUrl: string; accepts: PaymentRequirements[]; validUntil: number },
): Promise<SignedOffer[]> {
  return Promise.all(
    accepts.map(async ({ network, asset, payTo, amount }, acceptIndex) => {
      const payload = { version: 1, resourceUrl, scheme: 'exact', network, asset, payTo, amount, validUntil } as const
      const message = { ...payload, version: 1n, validUntil: BigInt(validUntil) }
      const signature = await signTypedData({ domain: DOMAIN, types: TYPES, primaryType: 'Offer', message, privateKey })
      return { format: 'eip712', acceptIndex, payload, signature } as const
    }),
  )
}
