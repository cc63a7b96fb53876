import { OFFER_RECEIPT } from '../../../../protocol/offer.ts'
import { makeIsolateCache } from '../../../lib/isolate-cache.ts'
import { type SignedOffer, signOffers } from '../../../x402/signed-offer.ts'
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
