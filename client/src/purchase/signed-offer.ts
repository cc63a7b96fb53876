import { networkName } from '../../../protocol/networks.ts'
import { OFFER_RECEIPT, type OfferPayload } from '../../../protocol/offer.ts'
import type { Hex } from '../account.ts'
import { SpendCapError } from '../errors.ts'
import { type Fields, fieldsAt, isFields, textAt } from '../json-fields.ts'
import type { Offer } from './challenge.ts'
import { isSame } from './choose.ts'
import type { Quote } from './quote.ts'

/** An offer that the service signed: x402's extension offer-receipt, in its EIP-712 form. */
export interface SignedOffer {
  payload: OfferPayload
  signature: Hex
}

/** Returns the address that signed an offer. `recoverOfferSigner` of the package's `node` part is one. */
export type RecoverSigner = (offer: SignedOffer) => Promise<string>

/** Compares what the service signed with what is about to be paid. */
export interface OfferCheck {
  /** Asks for the service's key, so that a later check does not wait for it. Never throws. */
  prepare(): void
  /** `now` is in milliseconds. Throws `SpendCapError` where the service signed something else, or its key did not sign it. */
  assertOffered(quote: Pick<Quote, 'extensions' | 'resource'>, offer: Offer, now: number): Promise<void>
}

/**
 * Compares signed offers with the price. With `recover` also their signer with the key in the content of `/.well-known/coinslot.json`,
 * which is read once and again after a failure.
 */
export function checkOffers(recover: RecoverSigner | undefined, readService: () => Promise<unknown>): OfferCheck {
  let reading: Promise<string | undefined> | undefined
  const published = (): Promise<string | undefined> => {
    reading ??= readService().then((service) =>
      textAt(fieldsAt(isFields(service) ? service : {}, 'receipts'), 'signer'),
    )
    reading.catch(() => {
      reading = undefined
    })
    return reading
  }
  return {
    prepare: () => {
      if (recover !== undefined) published().catch(() => undefined)
    },
    async assertOffered(quote, offer, now) {
      const promised = signedOfferFor(quote, offer, now)
      if (promised === null || recover === undefined) return
      const signer = await published()
      const signedBy = await recover(promised).catch(() => undefined)
      if (signer !== undefined && signedBy?.toLowerCase() === signer.toLowerCase()) return
      throw refused(
        `the service's key did not sign it: it is ${signer ?? 'not published'}, the signer ${signedBy ?? 'unknown'}`,
      )
    },
  }
}

/**
 * The signed offer for an entry of the quote; null where the service signed none for its token. `now` is in milliseconds. Throws
 * `SpendCapError` where the service signed another price, payee, address or time than the entry says.
 */
function signedOfferFor(
  { extensions, resource }: Pick<Quote, 'extensions' | 'resource'>,
  offer: Offer,
  now: number,
): SignedOffer | null {
  const info = fieldsAt(fieldsAt(isFields(extensions) ? extensions : {}, OFFER_RECEIPT), 'info')
  const list = Array.isArray(info['offers']) ? info['offers'] : []
  const ofToken = list
    .map(readSigned)
    .filter((signed) => signed !== null)
    .filter(({ payload }) => payload.network === offer.network && isSame(payload.asset, offer.asset))
  if (ofToken.length === 0) return null
  const url = textAt(isFields(resource) ? resource : {}, 'url')
  const matching = ofToken.find(
    ({ payload }) =>
      payload.scheme === 'exact' &&
      isSame(payload.payTo, offer.payTo) &&
      payload.amount === offer.amount.toString() &&
      payload.resourceUrl === url &&
      (payload.validUntil === 0 || payload.validUntil * 1_000 > now),
  )
  if (matching !== undefined) return matching
  throw refused(`it is for another amount, payee, address or time than the price on ${networkName(offer.network)}`)
}

function readSigned(from: unknown): SignedOffer | null {
  if (!isFields(from) || from['format'] !== 'eip712') return null
  const payload = fieldsAt(from, 'payload')
  const text = (name: string): string => textAt(payload, name) ?? ''
  return {
    payload: {
      version: numberAt(payload, 'version'),
      resourceUrl: text('resourceUrl'),
      scheme: text('scheme'),
      network: text('network'),
      asset: text('asset'),
      payTo: text('payTo'),
      amount: text('amount'),
      validUntil: numberAt(payload, 'validUntil'),
    },
    signature: `0x${/^0x([0-9a-fA-F]{130})$/.exec(textAt(from, 'signature') ?? '')?.[1] ?? ''}`,
  }
}

function numberAt(from: Fields, key: string): number {
  const value = from[key]
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : -1
}

const refused = (why: string): SpendCapError =>
  new SpendCapError(`The service's signed offer cannot be relied on: ${why}. Nothing was signed.`)
