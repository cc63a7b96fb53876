import { unlessAborted } from '../abort.ts'
import type { Reservation } from '../budget.ts'
import { BudgetError, InsufficientFundsError, QuoteLapsedError, SpendCapError } from '../errors.ts'
import { formatAmount, parseAmount, USDC_DECIMALS } from '../money.ts'
import type { PendingPayment } from '../store.ts'
import type { Offer } from './challenge.ts'
import { chooseOffer, isUsdc } from './choose.ts'
import type { RunEvent } from './events.ts'
import type { Funds, Order, Shop } from './order.ts'
import { askQuote, type Quote } from './quote.ts'
import { signPayment } from './sign.ts'

/** A payment that was signed and kept, and what it took of the budget. */
export interface Bought {
  payment: PendingPayment
  reservation: Reservation | undefined
}

/** Below this a quote is not worth showing to a wallet: people take their time there. */
const SHORTEST_SECONDS = 45

/** Asks for the price, holds it against limit, money and budget, signs once, and keeps what was signed. Nothing is sent yet. */
export async function* buy(shop: Shop, order: Order): AsyncGenerator<RunEvent, Bought, undefined> {
  await shop.signedIn()
  const [quote, funds = null] = await Promise.all([askQuote(shop, order), shop.funds?.()])
  const { offer, price } = chooseOffer(quote, order)
  yield { event: 'quoted', price, network: offer.network }
  assertFunded(shop.account.address, offer, funds)
  return yield* signOffer(shop, order, quote, offer)
}

/** What is known to be too little is not signed away: such a payment is refused, and may be taken later, once there is more. */
function assertFunded(payer: string, offer: Offer, funds: Funds | null): void {
  if (funds === null || !isUsdc(offer) || funds.network !== offer.network || funds.usdc >= offer.amount) return
  const [price, has] = [offer.amount, funds.usdc].map((atomic) => formatAmount(atomic, USDC_DECIMALS))
  throw new InsufficientFundsError(
    `The price is ${price} USDC, and ${payer} has ${has} on ${offer.network}. Nothing was signed: send USDC to that address first.`,
  )
}

/** Throws `QuoteLapsedError`, `SpendCapError` or `BudgetError` where an offer that a person chose may not be signed. */
export function assertSignable(shop: Shop, quote: Quote, offer: Offer, maxUsdc: string | undefined): void {
  if (!quote.offers.includes(offer)) throw new SpendCapError('The offer is not one of this quote.')
  if (quote.validBefore - shop.transport.now() / 1_000 < SHORTEST_SECONDS) {
    throw new QuoteLapsedError('The price has lapsed. Nothing was signed: ask for it again.')
  }
  if (!isUsdc(offer)) {
    if (shop.budget === undefined) return
    throw new BudgetError('A budget is counted in USDC: pay in USDC, or without a budget.')
  }
  if (maxUsdc === undefined || offer.amount <= parseAmount(maxUsdc, USDC_DECIMALS)) return
  const price = formatAmount(offer.amount, USDC_DECIMALS)
  throw new SpendCapError(`The price is ${price} USDC, more than the limit of ${maxUsdc}. Nothing was signed.`)
}

/** Takes the offer's part of the budget, signs it, and keeps what was signed. A run that is called off keeps nothing. */
export async function* signOffer(
  shop: Shop,
  { signal }: Order,
  quote: Quote,
  offer: Offer,
): AsyncGenerator<RunEvent, Bought, undefined> {
  const { transport, account, store, budget } = shop
  const reservation = await budget?.reserve({ amountAtomic: offer.amount, payer: account.address.toLowerCase() })
  let payment: PendingPayment
  try {
    payment = await unlessAborted(signPayment(account, quote, offer, transport.origin), signal)
    await store.save(payment)
  } catch (error) {
    // Whatever was signed was sent nowhere and is forgotten here.
    await reservation?.cancel()
    throw error
  }
  let isLeft = true
  try {
    yield { event: 'signed', paymentId: payment.id }
    isLeft = false
  } finally {
    if (isLeft) await store.release(payment.id)
  }
  return { payment, reservation }
}
