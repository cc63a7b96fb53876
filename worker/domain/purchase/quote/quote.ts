import { sha256 } from '../../../lib/digest.ts'
import { makeIsolateCache } from '../../../lib/isolate-cache.ts'
import { makeTextSigner } from '../../../lib/text-signer.ts'
import { readOpenQuote, signOpenQuote, type Terms } from '../../../x402/open-quote.ts'
import type { PaymentRequired } from '../../../x402/schemas.ts'
import { makeChallenge } from '../../auth/challenge.ts'
import type { RequestDeps, Session } from '../../deps.ts'
import type { Model } from '../../models/model.ts'
import { type ChallengeText, makeChallengeText, type WrittenChallenge } from './challenge-text.ts'
import { type Offer, offerFor } from './offer.ts'
import { signedRest, signedStart, termsOf, unpackTerms } from './session-quote.ts'
import { offersExtension } from './signed-offers.ts'
import { type Endpoint, signedOutExtensions, signInExtension } from './signed-out.ts'

const quoteSeconds = 600

/** The subject of a price: the caller, the model, the body. */
export interface QuoteSubject {
  /** Null for a caller that is not signed in: the price is the base price, and the quote is open. */
  session: Session | null
  model: Model
  /** Canonical JSON of the parsed body as it was sent. */
  request: string
}

/** A subject that is answered with a 402. */
export interface ChallengedSubject extends QuoteSubject {
  endpoint: Endpoint
  /** The nonce of the proof that an unpaid call brought. Its challenge is repeated, so that the payment may echo it. */
  boundNonce?: string
}

/** Challenges without quote and time, by their offer. Only those of a session repeat. */
const texts = makeIsolateCache<ChallengeText>()

/**
 * The challenge of a 402 as JSON and as its header: what the caller may pay with, and a fresh quote for it to echo. A caller that is
 * not signed in gets an open quote, and a sign-in challenge whose nonce the quote carries.
 */
export async function challenge(
  deps: RequestDeps,
  subject: ChallengedSubject,
  error: string,
): Promise<WrittenChallenge> {
  const { session, model, endpoint, request } = subject
  const offer = await offerFor(deps, session, model)
  const now = deps.now()
  const expiresAt = Math.floor(now.getTime() / 1000) + quoteSeconds
  if (session !== null) {
    return textFor(deps, subject, error, offer).with(offer.sign(session.address, expiresAt, request), expiresAt)
  }
  const signIn = makeChallenge(deps.config, { ...endpoint, now })
  const token = signOpenQuote(makeTextSigner(deps.config, 'quote'), {
    v: 1,
    wallet: null,
    nonce: signIn.info.nonce,
    task: model.task,
    model: model.id,
    requestHash: await sha256(request),
    ...offer.terms,
    expiresAt,
  })
  const unsigned = requiredOf(deps, subject, error, offer)
  const resource = { ...unsigned.resource, serviceName: 'Coinslot', tags: ['ai', model.outputType] }
  const extensions = signedOutExtensions(signIn, model, endpoint, offer.accepts.length)
  const required = { ...unsigned, resource, extensions }
  const room = MAX_JSON_CHARACTERS - JSON.stringify(required).length - token.length
  const offers = await offersExtension(deps, { resourceUrl: resource.url, offer, expiresAt, room })
  return makeChallengeText({ ...required, extensions: { ...extensions, ...offers } }).with(token, expiresAt)
}

/** Of a header of 6 KiB in base64, without what surrounds the token of the quote. */
const MAX_JSON_CHARACTERS = (6 * 1024 * 3) / 4 - 100

/** The challenge of a signed-in caller. All but its quote is the same for each call, unless it repeats a nonce. */
function textFor(deps: RequestDeps, subject: ChallengedSubject, error: string, offer: Offer): ChallengeText {
  const { endpoint, boundNonce } = subject
  const required = (): PaymentRequired => requiredOf(deps, subject, error, offer)
  if (boundNonce !== undefined) {
    return makeChallengeText({ ...required(), extensions: signInExtension(deps, endpoint, boundNonce) })
  }
  const key = `${endpoint.path}\n${error}`
  let text = texts.get(offer, key)
  if (text === undefined) {
    text = makeChallengeText(required())
    texts.set(offer, key, text)
  }
  return text
}

function requiredOf(
  { config }: RequestDeps,
  { model, endpoint }: ChallengedSubject,
  error: string,
  { accepts }: Offer,
): PaymentRequired {
  return {
    x402Version: 2,
    error,
    resource: {
      url: config.publicOrigins[0] + endpoint.path,
      description: `${model.task} · ${model.name}`,
      mimeType: 'application/json',
    },
    accepts,
    extensions: {},
  }
}

/** The terms that a quote promised for this subject; null when it is missing, forged, expired, or of another wallet or request. */
export async function promisedTerms(
  deps: RequestDeps,
  subject: QuoteSubject,
  token: string | null,
): Promise<Terms | null> {
  if (token === null) return null
  const session = sessionTerms(deps, subject, token)
  if (session !== null) return session
  const open = readOpenQuote(makeTextSigner(deps.config, 'quote'), token)
  if (open === null || isOver(deps, open.expiresAt) || open.model !== subject.model.id) return null
  return open.requestHash === (await sha256(subject.request)) ? open : null
}

const isOver = (deps: RequestDeps, expiresAt: number): boolean => expiresAt * 1000 <= deps.now().getTime()

function sessionTerms(deps: RequestDeps, { session, model, request }: QuoteSubject, token: string): Terms | null {
  const unpacked = unpackTerms(token)
  if (session === null || unpacked === null || isOver(deps, unpacked.sent.expiresAt)) return null
  const { sent, signature } = unpacked
  const terms = termsOf(deps.config, model, sent)
  const text = signedStart(model, terms) + signedRest(session.address, sent.expiresAt, request)
  return makeTextSigner(deps.config, 'quote').verify(text, signature) ? terms : null
}
