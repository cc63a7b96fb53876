import { recoverTypedDataAddress } from 'viem/utils'
import { OFFER_DOMAIN, OFFER_TYPES } from '../../protocol/offer.ts'
import type { RecoverSigner } from '../src/index.ts'

/** Returns who signed an offer of x402's extension offer-receipt, for `createCoinslot`. Rejects where no one can have. */
export const recoverOfferSigner: RecoverSigner = ({ payload, signature }) =>
  recoverTypedDataAddress({
    domain: OFFER_DOMAIN,
    types: OFFER_TYPES,
    primaryType: 'Offer',
    message: { ...payload, version: BigInt(payload.version), validUntil: BigInt(payload.validUntil) },
    signature,
  })
