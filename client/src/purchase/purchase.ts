import { CoinslotError, ProblemError } from '../errors.ts'
import type { PendingPayment } from '../store.ts'
import { buy, signOffer } from './buy.ts'
import type { Offer } from './challenge.ts'
import { deliver, type End, signedIn } from './deliver.ts'
import type { RunEvent } from './events.ts'
import type { Order, Shop } from './order.ts'
import { isFinal, nextStep } from './policy.ts'
import type { Quote } from './quote.ts'

/**
 * A purchase in its order: a payment kept for this very request is gone on with; else quote, limit, budget, one signature.
 * Throws `ProblemError` for a no, `UnfinishedError` when there is no end yet; a payment that may still be of use stays kept.
 */
export async function* purchase(shop: Shop, order: Order): AsyncGenerator<RunEvent, void, undefined> {
  const kept = await shop.store.take({
    origin: shop.transport.origin,
    payer: shop.account.address.toLowerCase(),
    ...(order.paymentId === undefined ? { body: order.body } : { id: order.paymentId }),
  })
  if (kept === null && order.paymentId !== undefined)
    throw new CoinslotError(`no payment ${order.paymentId} is kept here`)
  if (kept !== null) {
    yield { event: 'resumed', paymentId: kept.id }
    const ending = yield* finish(shop, order, kept, false)
    if (ending === 'done') return
  }
  const ending = yield* finish(shop, order, yield* buy(shop, order), true)
  if (ending === 'done') return
  yield* finish(shop, { ...order, allowNewPayment: false }, yield* buy(shop, order), true)
}

/** Pays one offer that the caller has seen and chosen; throws as `purchase` does. Nothing else is ever signed. */
export async function* payOffer(
  shop: Shop,
  order: Order,
  quote: Quote,
  offer: Offer,
): AsyncGenerator<RunEvent, void, undefined> {
  const payment = yield* signOffer(shop, order, quote, offer)
  yield* finish(shop, { ...order, allowNewPayment: false }, payment, true)
}

type Ending = 'done' | 'sign_new'

/** Delivers a payment and puts it away. `sign_new` when another may be signed for this order. */
async function* finish(
  shop: Shop,
  order: Order,
  payment: PendingPayment,
  isNew: boolean,
): AsyncGenerator<RunEvent, Ending, undefined> {
  let isKept = true
  try {
    if (!isNew) await shop.budget?.hold(payment.id)
    await signedIn(payment, shop.signedIn)
    const end = yield* deliver(shop, order, payment)
    // Whoever holds the signature may still have it charged until it is worth nothing, whatever the service says today.
    if (isUnused(end)) await shop.budget?.lapse(payment.id, latestEnd(shop, payment))
    const isLapsed = isUnused(end) && payment.validBefore < shop.transport.now() / 1_000
    const ending = endingOf(end, order, isLapsed && !isNew)
    if (end.kind === 'result' || ending === 'sign_new' || isLapsed || isFinal(end.problem)) {
      await shop.store.remove(payment.id)
      isKept = false
    }
    if (end.kind === 'result') yield { event: 'result', result: end.result }
    else if (ending === 'done') throw new ProblemError(end.problem)
    return ending
  } finally {
    if (isKept) await shop.store.release(payment.id)
  }
}

/** The end of a signature by our own clock or by the service's, whichever is later; unix seconds of our own. */
function latestEnd({ transport }: Shop, { validBefore }: PendingPayment): number {
  return validBefore + Math.max(0, Math.ceil((Date.now() - transport.now()) / 1_000))
}

const isUnused = (end: End): boolean => end.kind === 'problem' && end.problem.paymentState === 'unused'

/**
 * Another payment is signed only where the caller allowed it, or where the kept one of an earlier run lapsed without being
 * used: it never will be, and this run has signed none.
 */
function endingOf(end: End, order: Order, isLapsedLeftover: boolean): Ending {
  if (end.kind === 'result') return 'done'
  if (isLapsedLeftover && order.paymentId === undefined) return 'sign_new'
  return nextStep(end.problem, order.allowNewPayment) === 'sign_new' ? 'sign_new' : 'done'
}
