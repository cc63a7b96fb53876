import { networkName } from '../../../protocol/networks.ts'
import { CoinslotError, ProblemError, SpendCapError } from '../errors.ts'
import type { PendingPayment } from '../store.ts'
import { buy, signOffer } from './buy.ts'
import type { Offer } from './challenge.ts'
import type { PurchaseContext, PurchaseOptions, Signed } from './context.ts'
import { deliver, type End } from './deliver.ts'
import type { RunEvent } from './events.ts'
import { isFinal, nextStep } from './policy.ts'
import type { Quote } from './quote.ts'

/**
 * One purchase. Continues with a payment that is kept for the same request; else quote, limit, budget, one signature, delivery.
 * Throws `ProblemError` for a refusal and `UnfinishedError` without an end. A payment that may still be used stays kept.
 */
export async function* purchase(
  context: PurchaseContext,
  options: PurchaseOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const kept = await context.store.take({
    origin: context.transport.origin,
    payer: context.account.address.toLowerCase(),
    ...(options.paymentId === undefined ? { body: options.body } : { id: options.paymentId }),
  })
  if (kept === null && options.paymentId !== undefined)
    throw new CoinslotError(`no payment ${options.paymentId} is kept here`)
  if (kept !== null) {
    await assertNetwork(context, kept)
    yield { event: 'resumed', paymentId: kept.id }
    const ending = yield* finish(context, options, { payment: kept, challenge: undefined }, false)
    if (ending === 'done') return
  }
  const ending = yield* finish(context, options, yield* buy(context, options), true)
  if (ending === 'done') return
  yield* finish(context, { ...options, allowNewPayment: false }, yield* buy(context, options), true)
}

/** Throws where a kept payment is on another network than the caller asked for: sending it would pay there. */
async function assertNetwork({ chainId, store }: PurchaseContext, { id, network }: PendingPayment): Promise<void> {
  if (chainId === undefined || network === `eip155:${chainId}`) return
  await store.release(id)
  throw new SpendCapError(
    `Payment ${id} is kept for this request on ${networkName(network)}, not on chain ${chainId}. Nothing was sent: ` +
      'resume it without a chain of your choice, or delete it.',
  )
}

/** Pays one offer that the caller chose. Throws as `purchase` does. Signs nothing else. */
export async function* payOffer(
  context: PurchaseContext,
  options: PurchaseOptions,
  quote: Quote,
  offer: Offer,
): AsyncGenerator<RunEvent, void, undefined> {
  const signed = yield* signOffer(context, options, quote, offer)
  yield* finish(context, { ...options, allowNewPayment: false }, signed, true)
}

type Ending = 'done' | 'sign_new'

/** Delivers a payment and removes it when it is final. Returns `sign_new` when another may be signed for this request. */
async function* finish(
  context: PurchaseContext,
  options: PurchaseOptions,
  signed: Signed,
  isNew: boolean,
): AsyncGenerator<RunEvent, Ending, undefined> {
  const { payment } = signed
  let isKept = true
  try {
    const end = yield* deliver(context, options, signed)
    const isExpired = isUnused(end) && hasExpired(context, payment)
    const ending = endingOf(end, options, isExpired && !isNew)
    if (end.kind === 'result' || ending === 'sign_new' || isExpired || isFinal(end.problem)) {
      await context.store.remove(payment.id)
      isKept = false
    }
    if (end.kind === 'result') yield { event: 'result', result: end.result }
    else if (ending === 'done') throw new ProblemError(end.problem)
    return ending
  } finally {
    if (isKept) await context.store.release(payment.id)
  }
}

/** True if a signature has expired by this machine's clock and by the service's, which could be wrong on purpose. */
const hasExpired = ({ transport }: PurchaseContext, { validBefore }: PendingPayment): boolean =>
  validBefore < Math.min(Date.now(), transport.now()) / 1_000

const isUnused = (end: End): boolean => end.kind === 'problem' && end.problem.paymentState === 'unused'

/**
 * Another payment is signed only where the caller allowed it, or where the kept one of an earlier run expired unused: it can no
 * longer be charged, and this run has signed none.
 */
function endingOf(end: End, options: PurchaseOptions, isExpiredLeftover: boolean): Ending {
  if (end.kind === 'result') return 'done'
  if (isExpiredLeftover && options.paymentId === undefined) return 'sign_new'
  return nextStep(end.problem, options.allowNewPayment) === 'sign_new' ? 'sign_new' : 'done'
}
