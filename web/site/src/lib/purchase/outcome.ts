import {
  type Problem,
  ProblemError,
  QuoteExpiredError,
  readProblem,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { messages } from '../../messages/active.ts'
import type { Notice } from './refusal.ts'
import { RefusalError } from './refusal.ts'
import type { Charge, Purchase, PurchaseEvent } from './states.ts'

/** How a run ended without a result. */
export type Outcome =
  | { end: 'not_signed'; why: Notice; walletMessage: string }
  /** Nothing was signed. A new price is needed. */
  | { end: 'quote_expired' }
  /** The payment is kept. The same one continues after the sign-in. */
  | { end: 'signed_out' }
  | { end: 'stopped'; problem: Problem; payment: Retention }

/**
 * The next step for the stored payment. `forget`: it was used, or never will be. `forget_when_expired`: the service did not say, so
 * it stays until it expires; the history shows what was charged. `keep`: it is sent again at the next visit.
 */
type Retention = 'forget' | 'forget_when_expired' | 'keep'

/** The meaning of a run's error for the person. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof RefusalError) return { end: 'not_signed', why: error.why, walletMessage: error.walletMessage }
  if (error instanceof QuoteExpiredError) return { end: 'quote_expired' }
  if (error instanceof SignedOutError || isOtherWallet(error)) return { end: 'signed_out' }
  if (error instanceof ProblemError) {
    return { end: 'stopped', problem: error.problem, payment: retentionOf(error.problem) }
  }
  if (error instanceof UnfinishedError && error.cause instanceof ProblemError) {
    return { end: 'stopped', problem: error.cause.problem, payment: 'keep' }
  }
  console.warn('coinslot: the purchase stopped', error)
  return { end: 'stopped', problem: offline(), payment: 'keep' }
}

/** A problem for a service that does not answer. */
export const offline = (): Problem => readProblem({ title: messages.errors.offline, nextAction: 'wait_and_retry' }, 0)

/** The problem of a purchase that stopped before anything was signed: where the service does not say it, we know that nothing was charged. */
export const beforePayment = (problem: Problem): Problem => ({
  ...problem,
  paymentState: problem.paymentState ?? 'unused',
})

/** Another wallet signed in meanwhile, for example in another tab. Only the payer's own session can finish the payment. */
const isOtherWallet = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.code === 'payer_mismatch'

function retentionOf({ code, paymentState }: Problem): Retention {
  if (code === 'inference_failed' || paymentState === 'unused') return 'forget'
  return paymentState === undefined ? 'forget_when_expired' : 'keep'
}

/** True if nothing more comes of a kept payment. `validBefore` is in seconds. */
export function isOver({ validBefore }: { validBefore: number }, retention: Retention): boolean {
  return retention === 'forget_when_expired' ? validBefore * 1_000 < Date.now() : retention === 'forget'
}

/** The page's event once the payer of a purchase has left it. Null if nothing ended. */
export function eventAfterPayer(payer: string, isKept: boolean, end: Purchase): PurchaseEvent | null {
  if (isKept) return { type: 'awaiting_sign_in', payer }
  if (end.at === 'done') return { type: 'payer_left', payer, charge: 'paid' }
  return end.at === 'stopped' ? { type: 'payer_left', payer, charge: chargeOf(end.problem) } : null
}

/** A run fails after its payment settled. Any other payment was charged only if the service says so. */
function chargeOf({ code, paymentState }: Problem): Charge {
  if (paymentState === 'unused') return 'unpaid'
  return paymentState === 'settled' || code === 'inference_failed' ? 'paid' : 'unsaid'
}
