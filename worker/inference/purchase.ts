import type { ClaimResult } from '../../db/queries/claim-payment.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import type { RequestDeps } from '../context.ts'
import { AppError } from '../errors.ts'
import { rateLimited } from '../rate-limits/enforce.ts'
import { drive, driveUntil } from './drive.ts'
import type { Driver, PurchaseAnswer, PurchaseEvent } from './driver.ts'
import { claim } from './steps/claim.ts'
import { recordAsPending } from './steps/record.ts'
import { type Judgement, judge, type PaidCall } from './steps/validate-payment.ts'

/** A paid call is answered this long after it arrived, finished or not. */
const answerWithinMs = 55_000

/** A purchase under way. */
export interface Purchase {
  /** Resolves when `/verify` is behind it: with the answer if it rested there or earlier, else with null. */
  begun: Promise<PurchaseAnswer | null>
  ended: Promise<PurchaseAnswer>
  /** Calls back for every event so far, then for each new one. */
  watch(listener: (event: PurchaseEvent) => void): void
}

/**
 * A paid call, in the specification's order: judge, claim (one round trip), then verify, settle, run, store, record under the
 * claim's lease. All of it is handed to `waitUntil`: a client that leaves changes nothing.
 */
export function startPurchase(deps: RequestDeps, call: PaidCall): Promise<Purchase> {
  const purchase = claimAndDrive(deps, call)
  const all = purchase.then(({ ended }) => ended)
  deps.waitUntil(all.catch(() => undefined))
  return purchase
}

async function claimAndDrive(deps: RequestDeps, call: PaidCall): Promise<Purchase> {
  const judgement = await judge(deps, call)
  const token = deps.newId()
  const claimed = await claim(deps, call, judgement, token)
  assertMayBeShown(call, claimed.payment)
  const resting = restingAnswer(claimed, judgement)
  if (resting !== null) return restingPurchase(resting)
  if (claimed.payment === null) throw new Error('a claim without a payment')
  return drivePurchase(deps, call, judgement, claimed, claimed.payment, token)
}

/** A contract wallet's record is shown only to a session of the payment's chain: elsewhere the address may be another's. */
function assertMayBeShown(call: PaidCall, payment: Payment | null): void {
  if (payment === null || payment.signatureRecovered || payment.chainId === call.session.chainId) return
  throw new AppError('payer_mismatch', {
    detail: 'A contract wallet is served on the chain it signed in on.',
    nextAction: 'sign_in',
  })
}

/** The answer of a claim that gives this call nothing to drive; null when it has the lease. */
function restingAnswer(claimed: ClaimResult, judgement: Judgement): PurchaseAnswer | null {
  const { kind, payment, record } = claimed
  if (kind === 'new' || kind === 'reclaimed' || kind === 'taken') return null
  if (kind === 'limited') return limited(claimed)
  if (payment === null) return refusalAnswer(judgement)
  if (kind === 'rejected') {
    const reason = payment.reason ?? 'payment_rejected'
    return { kind: 'rejected', code: 'payment_rejected', reason, settleRefused: false }
  }
  if (kind === 'other_request') return { kind: 'problem', error: otherRequest(payment) }
  if (kind === 'ended' && record !== null) return { kind: 'ended', payment, record }
  return kind === 'waiting' ? { kind: 'pending', payment } : { kind: 'in_progress', payment }
}

function refusalAnswer({ verdict }: Judgement): PurchaseAnswer {
  if (verdict.kind === 'accepted') throw new Error('an accepted payment was not claimed')
  const { refusal } = verdict
  if (refusal.kind === 'problem') return { kind: 'problem', error: refusal.error }
  return { kind: 'rejected', code: refusal.code, reason: refusal.reason, settleRefused: false }
}

const otherRequest = (payment: Payment): AppError =>
  new AppError('payment_used_for_other_request', {
    detail: 'This authorization was sent with another body before. Send that body, or sign a new payment for this one.',
    statusUrl: `/api/inference/${payment.inferenceId}`,
    nextAction: 'sign_new_payment',
  })

function limited({ windowEnds, limit, now }: ClaimResult): PurchaseAnswer {
  const waitMs = windowEnds === null ? 0 : windowEnds.getTime() - now.getTime()
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const error = rateLimited(
    'paid',
    { limit: limit ?? 0, windowSeconds: 60, retryAfterSeconds },
    { paymentState: 'unused' },
  )
  return { kind: 'problem', error }
}

const restingPurchase = (answer: PurchaseAnswer): Purchase => ({
  begun: Promise.resolve(answer),
  ended: Promise.resolve(answer),
  watch: () => undefined,
})

function drivePurchase(
  deps: RequestDeps,
  call: PaidCall,
  judgement: Judgement,
  { kind }: ClaimResult,
  payment: Payment,
  token: string,
): Purchase {
  const events = makeEvents()
  const refusedNow = judgement.verdict.kind === 'refused' && judgement.verdict.refusal.kind === 'problem'
  const driver: Driver = {
    deps,
    lease: { paymentId: payment.id, token },
    buyer: true,
    arrivedAt: call.arrivedAt,
    emit: events.emit,
    fresh: kind === 'new' || kind === 'reclaimed',
    verified: false,
    // What cannot be run now is not sent to `/settle` now either.
    settleSent: refusedNow,
    markedSettled: false,
  }
  if (payment.state === 'settled') events.emit({ event: 'settled', payment })
  const first = driveUntil(driver, payment, (current) => driver.verified || current.state === 'settled')
  const begun = first.then((end) => (end.kind === 'paused' ? null : answerOrRefusal(end, payment, judgement)))
  const ended = first.then((end) =>
    end.kind === 'paused' ? drive(driver, end.payment) : answerOrRefusal(end, payment, judgement),
  )
  // Whoever does not stream never looks at it; a fault comes out of `ended`.
  begun.catch(() => undefined)
  return { begun, ended, watch: events.watch }
}

/** A claim that was never sent anywhere, and cannot be run now, is answered by what refuses it, not by "unknown". */
function answerOrRefusal(answer: PurchaseAnswer, claimed: Payment, judgement: Judgement): PurchaseAnswer {
  const { verdict } = judgement
  const neverSent = answer.kind === 'unknown' && claimed.state === 'claimed'
  if (!neverSent || verdict.kind === 'accepted' || verdict.refusal.kind !== 'problem') return answer
  return { kind: 'problem', error: verdict.refusal.error }
}

/** Keeps what happened, so that a late watcher misses nothing. */
function makeEvents(): { emit(event: PurchaseEvent): void; watch: Purchase['watch'] } {
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
 * The answer of a call that does not stream: the end, or `pending` when it comes to 55 s after arrival, or right after
 * settlement where the caller asked for that.
 */
export async function answerOf(
  deps: RequestDeps,
  purchase: Purchase,
  options: { arrivedAt: Date; respondAsync: boolean },
): Promise<PurchaseAnswer> {
  let settled: Payment | null = null
  const settlement = new Promise<void>((resolve) => {
    purchase.watch((event) => {
      if (event.event !== 'settled') return
      settled = event.payment
      if (options.respondAsync) resolve()
    })
  })
  const leftMs = answerWithinMs - (deps.now().getTime() - options.arrivedAt.getTime())
  const early = Promise.race([settlement, deps.sleep(Math.max(0, leftMs))]).then(() => settled)
  const first = await Promise.race([purchase.ended, early])
  const answer = first === null || !('kind' in first) ? await pendingOr(purchase, first) : first
  // Its caller hears no more of it: a fault of the rest must not go unheard.
  if (answer !== first) deps.waitUntil(purchase.ended)
  if (answer.kind === 'pending') await recordAsPending({ deps }, answer.payment)
  return answer
}

/** Before settlement there is nothing to promise: the end is waited for, and comes within the deadlines of its steps. */
const pendingOr = async (purchase: Purchase, settled: Payment | null): Promise<PurchaseAnswer> =>
  settled === null ? purchase.ended : { kind: 'pending', payment: settled }
