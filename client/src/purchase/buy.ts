import { formatAmount, parseAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import { networkName } from '../../../protocol/networks.ts'
import { BudgetError, CoinslotError, InsufficientFundsError, QuoteExpiredError, SpendCapError } from '../errors.ts'
import { unlessAborted } from '../retry.ts'
import type { SignInChallenge } from '../session/challenge.ts'
import type { PendingPayment } from '../store.ts'
import type { Offer } from './challenge.ts'
import { chooseOffer, isUsdc } from './choose.ts'
import type { Payer, PurchaseContext, PurchaseOptions, Signed } from './context.ts'
import type { RunEvent } from './events.ts'
import { askBaseQuote, askOwnQuote, type Quote } from './quote.ts'
import { signPayment } from './sign.ts'

/** The shortest remaining time of a quote to show in a wallet, where a person needs time to decide. */
const SHORTEST_SECONDS = 45

/** Gets the price, checks it against limit, balance and budget, signs once, and stores the payment. Sends nothing. */
export async function* buy(
  context: PurchaseContext,
  options: PurchaseOptions,
): AsyncGenerator<RunEvent, Signed, undefined> {
  context.offerCheck?.prepare()
  const { quote, payer } = await price(context, options)
  const { offer, price: shown } = chooseOffer(quote, options, await payingNetwork(context, quote.signIn))
  yield { event: 'quoted', price: shown, network: offer.network }
  assertFunded(context.account.address, offer, payer, options.payIn?.decimals ?? USDC_DECIMALS)
  return yield* signOffer(context, options, quote, offer)
}

/** The price to pay. Where the payer is known to have no discount, the price for anyone is its own, without another call. */
async function price(
  context: PurchaseContext,
  options: PurchaseOptions,
): Promise<{ quote: Quote; payer: Payer | null }> {
  const early = context.payer?.isReady() === true ? context.payer.read() : undefined
  const base = await askBaseQuote(context, options)
  const payer = (await (early ?? context.payer?.read(base.signIn))) ?? null
  return { payer, quote: payer?.hasDiscount === false ? base : await askOwnQuote(context, options, base) }
}

/** Where payments are made (CAIP-2): on the network that the caller asked for, else on that of the sign-in. */
async function payingNetwork(
  { chainId, proof }: PurchaseContext,
  challenge: SignInChallenge | undefined,
): Promise<string> {
  const paysOn = chainId ?? (await proof.payingChain(challenge))
  if (paysOn === undefined) throw new CoinslotError('Sign in first, or name the network to pay on with `chainId`.')
  return `eip155:${paysOn}`
}

/** Throws when the balance is known to be too low: a signed payment could still be settled after a top-up. */
function assertFunded(address: string, offer: Offer, payer: Payer | null, decimals: number): void {
  const { network, amount, asset } = offer
  if (payer?.network !== network) return
  // Besides USDC a service takes wrapped AIC alone.
  const token = isUsdc(offer) ? 'USDC' : 'AIC'
  const balance = token === 'USDC' ? payer.usdc : payer.wrappedAic
  if (balance === null || balance >= amount) return
  const written = (atomic: bigint): string => withoutSpareZeros(formatAmount(atomic, decimals))
  const missing = amount - balance
  const wrap = token === 'AIC' && payer.aic !== null && payer.aic >= missing ? written(missing) : null
  const [price, has] = [written(amount), written(balance)]
  throw new InsufficientFundsError({ address, network, token, asset, price, balance: has, wrap })
}
/** An amount without zeros at its end beyond six decimals, the most that an amount of USDC has. */
function withoutSpareZeros(amount: string): string {
  const least = amount.indexOf('.') + 1 + USDC_DECIMALS
  let end = amount.length
  while (end > least && amount.charAt(end - 1) === '0') end -= 1
  return amount.slice(0, end)
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

/** Checks the service's own signature of the offer, reserves the amount, signs, and stores the payment. An aborted run stores nothing. */
export async function* signOffer(
  context: PurchaseContext,
  { signal }: PurchaseOptions,
  quote: Quote,
  offer: Offer,
): AsyncGenerator<RunEvent, Signed, undefined> {
  const { transport, account, store, budget, offerCheck } = context
  await offerCheck?.assertOffered(quote, offer, transport.now())
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
  return { payment, challenge: quote.signIn }
}
