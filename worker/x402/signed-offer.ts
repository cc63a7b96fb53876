import type { Hex } from 'viem'
import { signTypedData } from 'viem/accounts'
import { OFFER_DOMAIN, OFFER_TYPES, type OfferPayload } from '../../protocol/offer.ts'
import type { PaymentRequirements } from './schemas.ts'

/** A price that this service stands by until `validUntil`, for anyone to check. */
export interface SignedOffer {
  format: 'eip712'
  /** The entry of `accepts` that it signs. */
  acceptIndex: number
  payload: OfferPayload & { version: 1; scheme: 'exact' }
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
      const signature = await signTypedData({
        domain: OFFER_DOMAIN,
        types: OFFER_TYPES,
        primaryType: 'Offer',
        message,
        privateKey,
      })
      return { format: 'eip712', acceptIndex, payload, signature } as const
    }),
  )
}
