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

/** The shortest remaining time of a quote to show in a wallet, where a person needs time to decide. */
const SHORTEST_SECONDS = 45

/** Gets the price, checks it against limit, balance and budget, signs once, and stores the payment. Sends nothing. */
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

/** Throws when the balance is known to be too low: a signed payment could still be settled after a top-up. */
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
    throw new QuoteExpiredError('The price has expired. Nothing was signed. Get a new quote.')
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

/** Reserves the amount in the budget, signs the offer, and stores the payment. An aborted run stores nothing. */
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
    // A signature that exists was not sent, and is dropped here.
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
