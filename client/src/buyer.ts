import type { Account } from './account.ts'
import type { Budget } from './budget.ts'
import { canonicalJson } from './encoding.ts'
import { BudgetError, CoinslotError } from './errors.ts'
import { parseAmount, USDC_DECIMALS } from './money.ts'
import { assertSignable } from './purchase/buy.ts'
import type { Offer } from './purchase/challenge.ts'
import type { OtherToken } from './purchase/choose.ts'
import type { Funds, PurchaseContext, PurchaseOptions } from './purchase/context.ts'
import { payOffer, purchase } from './purchase/purchase.ts'
import { askQuote, type Quote } from './purchase/quote.ts'
import { makeRetrier, type Sleep } from './retry.ts'
import { makeRun, type Run } from './run.ts'
import type { Transport } from './session/transport.ts'
import type { PaymentStore, PendingPayment } from './store.ts'
import type { InferenceRequest } from './types.ts'

export type { Offer } from './purchase/challenge.ts'
export { isUsdc } from './purchase/choose.ts'
export type { RunEvent } from './purchase/events.ts'
export type { Quote } from './purchase/quote.ts'
export type { Sleep } from './retry.ts'
export type { Run } from './run.ts'
export { callersSession } from './session/session-manager.ts'
export { isWanted, type PaymentStore, type PendingPayment } from './store.ts'

export interface CallOptions {
  /** Replaces the client's own `tries` for this call. */
  tries?: number
  signal?: AbortSignal
}

export interface RunOptions extends CallOptions {
  /** Replaces the client's own `maxUsdc` for this call. */
  maxUsdc?: string
  /** Pays in another token, e.g. AIC. `maxUsdc` does not bound it, its own `max` does; a budget does not count it and refuses it. */
  payIn?: OtherToken
  /** Signs one more payment where the service asks for it and says that the first is unused (a lapsed quote, say); default no. */
  allowNewPayment?: boolean
  /** Seconds until an unfinished run is given up, its payment kept; default 900. */
  timeoutSeconds?: number
}

/** For `pay`, where the offer says what is paid, and in what. */
export type PayOptions = Pick<RunOptions, 'maxUsdc' | 'timeoutSeconds' | 'tries' | 'signal'>

/** Buys, and never pays twice for one result. */
export interface Buyer {
  /** Buys. One signature; the same payment is sent again as often as it takes. */
  run(request: InferenceRequest, options?: RunOptions): Run
  /** The price, with all that may be signed for it, for a person to look at. Nothing is signed. */
  quote(request: InferenceRequest, options?: CallOptions): Promise<Quote>
  /**
   * Signs exactly this offer of a quote, once, and delivers. Until `signed` is told nothing is kept and nothing was sent: whoever
   * calls the run off before, or whose wallet says no, may pay the same quote later. Bound by a `maxUsdc` only where one was given.
   * Throws at once where the offer may not be signed: `QuoteExpiredError`, `SpendCapError`, `BudgetError`.
   */
  pay(quote: Quote, offer: Offer, options?: PayOptions): Run
  /** Goes on with a kept payment. */
  resume(paymentId: string, options?: RunOptions): Run
  /** Signed payments whose result is not here yet. */
  unfinished(): Promise<PendingPayment[]>
  /** Gives a kept payment up: it is not sent again from here. For payments that the service called unused. */
  forget(paymentId: string): Promise<void>
}

/** What a buyer is made of. `createCoinslot` makes all of it; an app that has its own parts hands them in. */
export interface BuyerParts {
  transport: Transport
  /** Who signs and pays. Throws where there is none. */
  account(): Account
  store: PaymentStore
  /** How calls come to be signed in. */
  session: Pick<PurchaseContext, 'presentSession' | 'ensureSignedIn' | 'signIn' | 'renewToken'>
  /** The only chain to pay on. Default for `run`: the session's. */
  chainId?: number | undefined
  budget?: Budget | undefined
  /** Asks what the payer has, for `run` to hold the price against; null when that cannot be known now. Never throws. */
  funds?(): Promise<Funds | null>
  /** Default for `run`: `"1.000000"`. */
  maxUsdc?: string | undefined
  tries?: number | undefined
  sleep?: Sleep | undefined
}

const DEFAULT_MAX_USDC = '1.000000'
export const DEFAULT_TRIES = 12
const DEFAULT_TIMEOUT_SECONDS = 900

/** A buyer out of its parts. Throws on a limit that is none. */
export function makeBuyer(parts: BuyerParts): Buyer {
  const { transport, store, chainId, budget, funds } = parts
  const { presentSession, ensureSignedIn, signIn, renewToken } = parts.session
  if (parts.maxUsdc !== undefined) parseAmount(parts.maxUsdc, USDC_DECIMALS)
  const context = (): PurchaseContext => ({
    transport,
    store,
    budget,
    funds,
    account: parts.account(),
    chainId,
    presentSession,
    ensureSignedIn,
    signIn,
    renewToken,
  })
  const start = (body: string, paymentId: string | undefined, given: RunOptions): Run => {
    if (given.payIn !== undefined && budget !== undefined) {
      throw new BudgetError('A budget is counted in USDC: pay in USDC, or without a budget.')
    }
    return makeRun(purchase(context(), optionsOf(parts, body, paymentId, given)))
  }
  const payer = (): string => parts.account().address.toLowerCase()
  return {
    run: (request, given = {}) => start(canonicalJson(request), undefined, given),
    quote: async (request, given = {}) => {
      const quote = await askQuote(context(), optionsOf(parts, canonicalJson(request), undefined, given))
      if (quote.offers.length === 0) throw new CoinslotError('the service takes no payment that could be signed here')
      return quote
    },
    pay: (quote, offer, given = {}) => {
      assertSignable(context(), quote, offer, given.maxUsdc ?? parts.maxUsdc)
      return makeRun(payOffer(context(), optionsOf(parts, quote.body, undefined, given), quote, offer))
    },
    resume: (paymentId, given = {}) => start('', paymentId, given),
    unfinished: async () => store.list({ origin: transport.origin, payer: payer() }),
    forget: (paymentId) => store.remove(paymentId),
  }
}

function optionsOf(parts: BuyerParts, body: string, paymentId: string | undefined, given: RunOptions): PurchaseOptions {
  const { payIn, allowNewPayment = false, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal } = given
  return {
    body,
    paymentId,
    maxUsdc: given.maxUsdc ?? parts.maxUsdc ?? DEFAULT_MAX_USDC,
    ...(payIn !== undefined && { payIn }),
    allowNewPayment,
    timeoutMs: timeoutSeconds * 1_000,
    retrier: makeRetrier(given.tries ?? parts.tries ?? DEFAULT_TRIES, signal, parts.sleep),
    signal,
  }
}
