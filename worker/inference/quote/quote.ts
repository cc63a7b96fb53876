import { makeChallenge } from '../../auth/challenge.ts'
import type { RequestDeps, Session } from '../../context.ts'
import { makeTextSigner, type TextSigner } from '../../lib/text-signer.ts'
import type { Model } from '../../models/model.ts'
import { type Quote, type QuoteEntry, readQuote, signQuote } from '../../payments/quote-signature.ts'
import { makeRequirements } from '../../payments/requirements.ts'
import type { PaymentRequired, PaymentRequirements } from '../../payments/schemas.ts'
import { acceptsFor } from './accepts.ts'
import { priceOf } from './price.ts'
import { type Door, signedOutExtensions, signInExtension } from './signed-out.ts'

const quoteSeconds = 600

const quoteSigner = (deps: RequestDeps): TextSigner => makeTextSigner(deps.config, 'quote')

/** What is being priced: for whom, which model, which body. */
export interface QuoteSubject {
  /** Null for a caller that is not signed in: the price is the base price, and the quote is open. */
  session: Session | null
  model: Model
  requestHash: string
}

/** A subject that is answered with a 402. */
export interface ChallengedSubject extends QuoteSubject {
  door: Door
  /** The nonce of the proof that an unpaid call brought. Its challenge is repeated, so that the payment may echo it. */
  boundNonce?: string
}

/** The price of a subject now, as an unsigned quote that holds for 10 minutes. */
export const quoteInference = async (deps: RequestDeps, subject: QuoteSubject): Promise<Quote> =>
  (await offer(deps, subject)).quote

/** What a subject may be paid with, and the quote that promises it. */
async function offer(
  deps: RequestDeps,
  subject: QuoteSubject,
): Promise<{ accepts: PaymentRequirements[]; quote: Quote }> {
  // An isolate that has just begun asks database and facilitator; neither waits for the other.
  const [price, supported] = await Promise.all([
    priceOf(deps, subject.session, subject.model),
    deps.facilitator.supportedNetworks(),
  ])
  const accepts = await acceptsFor(deps, subject.session, price.estimatedCostUsdc, supported)
  const quote: Quote = {
    v: 1,
    wallet: subject.session?.address ?? null,
    task: subject.model.task,
    model: subject.model.id,
    requestHash: subject.requestHash,
    entries: accepts.map(({ network, asset, amount, payTo, extra }) => ({
      network,
      asset,
      amount,
      payTo,
      name: extra.name,
      version: extra.version,
    })),
    ratePerSec: price.effectiveRateUsdc,
    discountPct: price.discountPct,
    stakedAic: price.stakedAtomic.toString(),
    estimatedSeconds: price.estimatedSeconds,
    estimatedCostUsdc: price.estimatedCostUsdc,
    expiresAt: Math.floor(deps.now().getTime() / 1000) + quoteSeconds,
  }
  return { accepts, quote }
}

/** What anyone may pay a model with now, at the base price. */
export async function baseAccepts(deps: RequestDeps, model: Model): Promise<PaymentRequirements[]> {
  return (await offer(deps, { session: null, model, requestHash: '' })).accepts
}

/** The `accepts` entry that a quote promised. */
export const requirementsOf = ({ network, asset, amount, payTo, name, version }: QuoteEntry): PaymentRequirements =>
  makeRequirements(network, asset, amount, payTo, { name, version })

/**
 * The challenge of a 402: the entries of a fresh quote and the quote itself, signed, for the client to echo. A caller that is not
 * signed in gets an open quote, and a sign-in challenge whose nonce the quote carries.
 */
export async function challenge(
  deps: RequestDeps,
  subject: ChallengedSubject,
  error: string,
): Promise<PaymentRequired> {
  const { model, door } = subject
  const { accepts, quote } = await offer(deps, subject)
  const signIn = subject.session === null ? await makeChallenge(deps.config, { ...door, now: deps.now() }) : null
  const token = await signQuote(quoteSigner(deps), signIn === null ? quote : { ...quote, nonce: signIn.info.nonce })
  return {
    x402Version: 2,
    error,
    resource: {
      url: deps.config.publicOrigins[0] + door.path,
      description: `${model.task} · ${model.name}`,
      mimeType: 'application/json',
      ...(signIn !== null && { serviceName: 'Coinslot', tags: ['ai', model.outputType] }),
    },
    accepts,
    extensions: {
      quote: { info: { token, expiresAt: new Date(quote.expiresAt * 1000).toISOString() }, schema: {} },
      ...(signIn !== null && signedOutExtensions(signIn, model, door, accepts.length)),
      ...(subject.boundNonce !== undefined && (await signInExtension(deps, door, subject.boundNonce))),
    },
  }
}

/** A quote that is valid for this subject now; null when it is missing, forged, expired, or of another wallet or request. */
export async function usableQuote(
  deps: RequestDeps,
  subject: QuoteSubject,
  token: string | null,
): Promise<Quote | null> {
  const quote = token === null ? null : await readQuote(quoteSigner(deps), token)
  if (quote === null || quote.expiresAt * 1000 <= deps.now().getTime()) return null
  const isTheirs = quote.wallet === null || quote.wallet.toLowerCase() === subject.session?.address.toLowerCase()
  const same = isTheirs && quote.requestHash === subject.requestHash && quote.model === subject.model.id
  return same ? quote : null
}
