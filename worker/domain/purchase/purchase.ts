import type { Payment } from '../../../db/queries/payment-row.ts'
import { describeError } from '../../lib/log.ts'
import type { RequestDeps } from '../deps.ts'
import { drive } from './drive.ts'
import { type Driver, startingFrom } from './driver.ts'
import { answerWithinMs } from './leases.ts'
import { wakeAt } from './move.ts'
import type { PurchaseAnswer, PurchaseEvent } from './purchase-answer.ts'
import { canStillSettle } from './recovery/resolve-settlement.ts'
import { claim, countClaim } from './steps/claim.ts'
import { recordAsPending } from './steps/record.ts'
import { type PaidCall, type Validation, validatePayment } from './steps/validate-payment.ts'

/** A paid call under way. */
export interface Purchase {
  /** Resolves with null once the payment is verified, or with the answer if that comes earlier. */
  begun: Promise<PurchaseAnswer | null>
  ended: Promise<PurchaseAnswer>
  /** Calls back for every event so far, then for each new one. */
  watch(listener: (event: PurchaseEvent) => void): void
  /** The payment, once it is known to be settled. */
  settled(): Payment | null
}

/** The steps of a paid call. `drive` continues the list, and every other driver of a payment starts there. */
async function buy(deps: RequestDeps, call: PaidCall, events: Events, awaitsResult: boolean): Promise<PurchaseAnswer> {
  const addressLimit = await countClaim(deps, call)
  const validation = await validatePayment(deps, call, addressLimit)
  const claimed = await claim(deps, call, validation, addressLimit)
  if (claimed.kind === 'answered') return claimed.answer
  // drive: verify, settle, run, store, record.
  const { payment, token, isNew, paidLimit } = claimed
  // In case this worker dies: no other driver may look before the lease ends.
  if (payment.leaseUntil !== null) wakeAt(deps, { inferenceId: payment.inferenceId }, payment.leaseUntil)
  if (payment.state === 'settled') events.emit({ event: 'settled', payment })
  const driver: Driver = {
    deps,
    lease: { payment, token },
    role: 'buyer',
    maySettle: !isRefusedNow(validation) && (isNew || canStillSettle(deps.now(), payment)),
    paidLimit,
    arrivedAt: call.arrivedAt,
    awaitsResult,
    emit: events.emit,
    progress: startingFrom(isNew ? 'fresh_claim' : 'taken_over'),
  }
  return orRefusal(await drive(driver, payment), payment, validation)
}

/** A purchase that cannot be run now is not sent to `/settle` now, even if an earlier call claimed it. */
const isRefusedNow = (validation: Validation): boolean =>
  validation.kind === 'refused' && validation.refusal.kind === 'problem'

/** A claim that was never sent, and cannot be run now, is answered by what refuses it, not by "unknown". */
function orRefusal(answer: PurchaseAnswer, claimed: Payment, validation: Validation): PurchaseAnswer {
  const neverSent = answer.kind === 'unknown' && claimed.state === 'claimed'
  if (!neverSent || validation.kind === 'accepted' || validation.refusal.kind !== 'problem') return answer
  return { kind: 'problem', error: validation.refusal.error }
}

/** Starts a paid call. It is handed to `waitUntil`: a client that leaves changes nothing. */
export function startPurchase(
  deps: RequestDeps,
  call: PaidCall,
  { awaitsResult }: { awaitsResult: boolean },
): Purchase {
  const events = makeEvents()
  const ended = buy(deps, call, events, awaitsResult)
  const begun = new Promise<PurchaseAnswer | null>((resolve, reject) => {
    events.watch(({ event }) => {
      if (event === 'verified' || event === 'settled') resolve(null)
    })
    ended.then(resolve, reject)
  })
  // A caller that does not stream ignores `begun`; errors come out of `ended`.
  begun.catch(() => undefined)
  deps.waitUntil(ended.catch(() => undefined))
  return { begun, ended, watch: events.watch, settled: watchSettled(events, ended) }
}

function watchSettled(events: Events, ended: Promise<PurchaseAnswer>): () => Payment | null {
  let settled: Payment | null = null
  events.watch((event) => {
    if (event.event === 'settled') settled = event.payment
  })
  ended.then(
    (answer) => {
      // A payment that the caller did not prove is not the caller's: no answer may show it.
      if (!('payment' in answer) || answer.kind === 'unproven') return
      if (answer.payment.txHash !== null) settled = answer.payment
    },
    () => undefined,
  )
  return () => settled
}

interface Events {
  emit(event: PurchaseEvent): void
  watch: Purchase['watch']
}

/** Keeps what happened, so that a late watcher misses nothing. */
function makeEvents(): Events {
  const past: PurchaseEvent[] = []
  const listeners = new Set<(event: PurchaseEvent) => void>()
  return {
    emit(event) {
      past.push(event)
      for (const listener of listeners) listener(event)
    },
    watch(listener) {
      for (const event of past) listener(event)
      listeners.add(listener)
    },
  }
}

/**
 * The answer of a call that does not stream: the end, or `pending` 55 s after arrival, or `pending` right after settlement
 * where the caller asked for that.
 */
export async function answerOf(
  deps: RequestDeps,
  purchase: Purchase,
  options: { arrivedAt: Date; respondAsync: boolean },
): Promise<PurchaseAnswer> {
  const settlement = new Promise<void>((resolve) => {
    purchase.watch(({ event }) => {
      if (event === 'settled' && options.respondAsync) resolve()
    })
  })
  const leftMs = answerWithinMs - (deps.now().getTime() - options.arrivedAt.getTime())
  const early = Promise.race([settlement, deps.sleep(Math.max(0, leftMs))]).then(() => null)
  const end = await Promise.race([purchase.ended, early])
  const answer = end ?? (await pendingOrEnd(purchase))
  // The caller gets no later answer, so an error after this one must be logged.
  if (end === null) deps.waitUntil(purchase.ended)
  if (answer.kind === 'pending') await recordAsPending(deps, answer.payment)
  return answer
}

/** Before settlement we cannot answer 202, so wait for the end, which the deadlines of the steps bound. */
async function pendingOrEnd(purchase: Purchase): Promise<PurchaseAnswer> {
  const payment = purchase.settled()
  return payment === null ? purchase.ended : { kind: 'pending', payment }
}

/**
 * The answer of a paid call after any error: `pending` once its payment is settled. Before that it throws the error again.
 */
export function answerAfterError(deps: RequestDeps, settled: Payment | null, error: unknown): PurchaseAnswer {
  if (settled === null) throw error
  deps.log.error('purchase.fault', { inferenceId: settled.inferenceId, cause: describeError(error) })
  return { kind: 'pending', payment: settled }
}
