import type { Hex } from 'viem'
import { signTypedData } from 'viem/accounts'
import { OFFER_DOMAIN, OFFER_RECEIPT, OFFER_TYPES, type OfferPayload } from '../../../../protocol/offer.ts'
import { makeIsolateCache } from '../../../lib/isolate-cache.ts'
import type { PaymentRequirements } from '../../../x402/schemas.ts'
import type { RequestDeps } from '../../deps.ts'
import type { Offer } from './offer.ts'

const PERIOD_SECONDS = 60

interface Signed {
  validUntil: number
  offers: SignedOffer[]
}

/** The latest signatures of an offer, by the URL that they name. */
const known = makeIsolateCache<Signed>()

/** The offers, when they end (unix seconds), and how many characters they may take in the challenge's JSON. */
interface OffersRequest {
  resourceUrl: string
  offer: Offer
  expiresAt: number
  room: number
}

/**
 * `extensions["offer-receipt"]` of a 402: the entries of `accepts`, signed with the key of the receipts, as many as there is room
 * for; nothing where the deployment has no such key. An offer is valid until `expiresAt`, rounded down to a whole minute, so
 * that it is signed once a minute and not once a call.
 */
export async function offersExtension(
  { config }: RequestDeps,
  { resourceUrl, offer, expiresAt, room }: OffersRequest,
): Promise<Record<string, unknown>> {
  if (config.receiptSigningKey === undefined) return {}
  const validUntil = expiresAt - (expiresAt % PERIOD_SECONDS)
  let signed = known.get(offer, resourceUrl)
  if (signed?.validUntil !== validUntil) {
    const offers = await signOffers(config.receiptSigningKey, { resourceUrl, accepts: offer.accepts, validUntil })
    signed = { validUntil, offers }
    known.set(offer, resourceUrl, signed)
  }
  const offers = firstThatFit(signed.offers, room - JSON.stringify(extensionOf([])).length)
  return offers.length === 0 ? {} : extensionOf(offers)
}

const extensionOf = (offers: SignedOffer[]) => ({ [OFFER_RECEIPT]: { info: { offers }, schema: {} } })

function firstThatFit(offers: SignedOffer[], room: number): SignedOffer[] {
  let left = room
  const tooLong = offers.findIndex((offer) => {
    left -= JSON.stringify(offer).length + 1
    return left < 0
  })
  return tooLong === -1 ? offers : offers.slice(0, tooLong)
}

/** A price that this service stands by until `validUntil`, for anyone to check. */
interface SignedOffer {
  format: 'eip712'
  /** The entry of `accepts` that it signs. */
  acceptIndex: number
  payload: OfferPayload & { version: 1; scheme: 'exact' }
  signature: Hex
}

/** An offer for each entry of `accepts`, in its order. `validUntil` is in unix seconds. A signature takes about a millisecond. */
function signOffers(
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
