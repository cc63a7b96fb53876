import { BudgetError, CoinslotError, InsufficientFundsError, QuoteExpiredError, SpendCapError } from '../errors.ts'
import { formatAmount, parseAmount, USDC_DECIMALS } from '../money.ts'
import { networkName } from '../networks.ts'
import { unlessAborted } from '../retry.ts'
import type { PendingPayment } from '../store.ts'
import type { Offer } from './challenge.ts'
import { chooseOffer, isUsdc } from './choose.ts'
import type { Funds, PurchaseContext, PurchaseOptions } from './context.ts'
import type { RunEvent } from './events.ts'
import { askQuote, type Quote } from './quote.ts'
import { signPayment } from './sign.ts'

/** Below this a quote is not worth showing to a wallet: people take their time there. */
const SHORTEST_SECONDS = 45

/** Asks for the price, holds it against limit, money and budget, signs once, and keeps what was signed. Nothing is sent yet. */
export async function* buy(
  context: PurchaseContext,
  options: PurchaseOptions,
): AsyncGenerator<RunEvent, PendingPayment, undefined> {
  const network = await payingNetwork(context)
  const [quote, funds = null] = await Promise.all([askQuote(context, options), context.funds?.()])
  const { offer, price } = chooseOffer(quote, options, network)
  yield { event: 'quoted', price, network: offer.network }
  assertFunded(context.account.address, offer, funds)
  return yield* signOffer(context, options, quote, offer)
}

/** Where payments are made (CAIP-2): on the network that the caller asked for, else on that of the session. */
async function payingNetwork({ chainId, presentSession }: PurchaseContext): Promise<string> {
  const paysOn = chainId ?? (await presentSession())?.chainId
  if (paysOn === undefined) throw new CoinslotError('Sign in first, or name the network to pay on with `chainId`.')
  return `eip155:${paysOn}`
}

/** What is known to be too little is not signed away: such a payment is refused, and may be taken later, once there is more. */
function assertFunded(address: string, { network, amount, ...offer }: Offer, funds: Funds | null): void {
  if (funds === null || !isUsdc({ network, ...offer }) || funds.network !== network || funds.usdc >= amount) return
  const usdc = (atomic: bigint): string => formatAmount(atomic, USDC_DECIMALS)
  throw new InsufficientFundsError({ address, network, price: usdc(amount), balance: usdc(funds.usdc) })
}

/** Throws `QuoteExpiredError`, `SpendCapError` or `BudgetError` where an offer that a person chose may not be signed. */
export function assertSignable(
  context: PurchaseContext,
  quote: Quote,
  offer: Offer,
  maxUsdc: string | undefined,
): void {
  if (!quote.offers.includes(offer)) throw new SpendCapError('The offer is not one of this quote.')
  if (quote.validBefore - context.transport.now() / 1_000 < SHORTEST_SECONDS) {
    throw new QuoteExpiredError('The price has lapsed. Nothing was signed: ask for it again.')
  }
  if (context.chainId !== undefined && offer.chainId !== context.chainId) {
    throw new SpendCapError(`The offer is on ${networkName(offer.network)}, not on chain ${context.chainId}.`)
  }
  if (!isUsdc(offer)) {
    if (context.budget === undefined) return
    throw new BudgetError('A budget is counted in USDC: pay in USDC, or without a budget.')
  }
  if (maxUsdc === undefined || offer.amount <= parseAmount(maxUsdc, USDC_DECIMALS)) return
  const price = formatAmount(offer.amount, USDC_DECIMALS)
  throw new SpendCapError(`The price is ${price} USDC, more than the limit of ${maxUsdc}. Nothing was signed.`)
}

/** Takes the offer's part of the budget, signs it, and keeps what was signed. A run that is called off keeps nothing. */
export async function* signOffer(
  context: PurchaseContext,
  { signal }: PurchaseOptions,
  quote: Quote,
  offer: Offer,
): AsyncGenerator<RunEvent, PendingPayment, undefined> {
  const { transport, account, store, budget } = context
  const id = crypto.randomUUID()
  await budget?.reserve({ paymentId: id, amountAtomic: offer.amount, payer: account.address.toLowerCase() })
  let payment: PendingPayment
  try {
    payment = await unlessAborted(signPayment(account, quote, offer, { id, origin: transport.origin }), signal)
    await store.save(payment)
  } catch (error) {
    // Whatever was signed was sent nowhere and is forgotten here.
    await budget?.cancel(id)
    throw error
  }
  let isLeft = true
  try {
    yield { event: 'signed', paymentId: id }
    isLeft = false
  } finally {
    if (isLeft) await store.release(id)
  }
  return payment
}
