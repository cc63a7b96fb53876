import { canonicalJson } from '../../protocol/canonical-json.ts'
import { parseAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import type { Account } from './account.ts'
import type { Budget } from './budget.ts'
import { BudgetError, CoinslotError } from './errors.ts'
import { assertSignable } from './purchase/buy.ts'
import type { Offer } from './purchase/challenge.ts'
import type { OtherToken } from './purchase/choose.ts'
import type { PayerReader, PurchaseContext, PurchaseOptions } from './purchase/context.ts'
import { payOffer, purchase } from './purchase/purchase.ts'
import { askOwnQuote, type Quote } from './purchase/quote.ts'
import type { OfferCheck } from './purchase/signed-offer.ts'
import { makeRetrier, type Sleep } from './retry.ts'
import { makeRun, type Run } from './run.ts'
import type { Transport } from './session/transport.ts'
import type { WalletProof } from './session/wallet-proof.ts'
import type { PaymentStore, PendingPayment } from './store.ts'
import type { InferenceRequest } from './types.ts'

export type { Offer } from './purchase/challenge.ts'
export { isUsdc } from './purchase/choose.ts'
export type { RunEvent } from './purchase/events.ts'
export type { Quote } from './purchase/quote.ts'
export type { Sleep } from './retry.ts'
export type { Run } from './run.ts'
export { cookieSession, type WalletProof } from './session/wallet-proof.ts'
export { isWanted, type PaymentStore, type PendingPayment } from './store.ts'

export interface CallOptions {
  /** Replaces the client's own `tries` for this call. */
  tries?: number
  signal?: AbortSignal
}

export interface RunOptions extends CallOptions {
  /** Replaces the client's own `maxUsdc` for this call. */
  maxUsdc?: string
  /** Pays in another token, e.g. AIC, up to the token's own `max`. `maxUsdc` does not apply. Refused where a budget is set. */
  payIn?: OtherToken
  /** Signs one more payment where the service asks for it and says that the first is unused (e.g. an expired quote); default no. */
  allowNewPayment?: boolean
  /** Seconds until an unfinished run stops. Its payment is kept. Default 900. */
  timeoutSeconds?: number
}

/** For `pay`, where the offer sets amount and token. */
export type PayOptions = Pick<RunOptions, 'maxUsdc' | 'timeoutSeconds' | 'tries' | 'signal'>

/** Buys, and never pays twice for one result. */
export interface Buyer {
  /** Buys, with one signature. The same payment is sent again until there is a result. */
  run(request: InferenceRequest, options?: RunOptions): Run
  /** The price and every offer that can be signed, for a person to decide. Nothing is signed. */
  quote(request: InferenceRequest, options?: CallOptions): Promise<Quote>
  /**
   * Signs exactly this offer of a quote, once, and delivers. Before the event `signed` nothing is kept and nothing was sent, so the
   * same quote may be paid again after an abort or a refusal by the wallet. `maxUsdc` applies only where it was set. Throws
   * immediately where the offer may not be signed: `QuoteExpiredError`, `SpendCapError`, `BudgetError`.
   */
  pay(quote: Quote, offer: Offer, options?: PayOptions): Run
  /** Continues with a kept payment. */
  resume(paymentId: string, options?: RunOptions): Run
  /** Signed payments without a result. */
  unfinished(): Promise<PendingPayment[]>
  /** Deletes a kept payment, so that it is not sent again. For payments that the service calls unused. */
  forget(paymentId: string): Promise<void>
}

/** The parts of a buyer. `createCoinslot` makes all of them. An app may pass its own. */
export interface BuyerParts {
  transport: Transport
  /** The account that signs and pays. Throws when there is none. */
  account(): Account
  store: PaymentStore
  /** How calls prove the wallet: `cookieSession` in a page. */
  proof: WalletProof
  /** The only chain to pay on. Default for `run`: that of the sign-in. */
  chainId?: number | undefined
  budget?: Budget | undefined
  /** The facts about the payer that `run` knows before it signs: its balance, and whether it has a discount. */
  payer?: PayerReader
  /** Compares signed offers with the price, for callers without a session: others get none. */
  offerCheck?: OfferCheck | undefined
  /** Default for `run`: `"1.000000"`. */
  maxUsdc?: string | undefined
  tries?: number | undefined
  sleep?: Sleep | undefined
}

const DEFAULT_MAX_USDC = '1.000000'
export const DEFAULT_TRIES = 12
const DEFAULT_TIMEOUT_SECONDS = 900

/** A buyer made of these parts. Throws if `maxUsdc` is invalid. */
export function makeBuyer(parts: BuyerParts): Buyer {
  const { transport, store, chainId, budget, proof } = parts
  if (parts.maxUsdc !== undefined) parseAmount(parts.maxUsdc, USDC_DECIMALS)
  const context = (): PurchaseContext => ({
    transport,
    store,
    budget,
    payer: parts.payer,
    offerCheck: parts.offerCheck,
    account: parts.account(),
    chainId,
    proof,
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
      const quote = await askOwnQuote(context(), optionsOf(parts, canonicalJson(request), undefined, given))
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
