import {
  type Problem,
  ProblemError,
  QuoteExpiredError,
  readProblem,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { messages } from '../../messages/en.ts'
import type { Notice } from './refusal.ts'
import { RefusalError } from './refusal.ts'

/** How a run ended without a result. */
export type Outcome =
  /** Nothing was signed. */
  | { end: 'unsigned'; why: Notice }
  /** Nothing was signed: the price has to be asked for again. */
  | { end: 'lapsed' }
  /** The payment is kept; the same one goes on after the sign-in. */
  | { end: 'signed_out' }
  | { end: 'stopped'; problem: Problem; fate: Fate }

/**
 * Whether the payment may be forgotten: `over` was used up or never will be taken; of `told_nothing` the service said no word, so
 * it may be forgotten once it has lapsed (what was charged stands in the history); `open` is asked for again at the next visit.
 */
export type Fate = 'over' | 'told_nothing' | 'open'

/** What an error of a run means for the person. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof RefusalError) return { end: 'unsigned', why: error.why }
  if (error instanceof QuoteExpiredError) return { end: 'lapsed' }
  if (error instanceof SignedOutError || isAnothers(error)) return { end: 'signed_out' }
  if (error instanceof ProblemError) return { end: 'stopped', problem: error.problem, fate: fateOf(error.problem) }
  if (error instanceof UnfinishedError && error.cause instanceof ProblemError) {
    return { end: 'stopped', problem: error.cause.problem, fate: 'open' }
  }
  console.warn('coinslot: the purchase stopped', error)
  return { end: 'stopped', problem: offline(), fate: 'open' }
}

/** No answer at all, in the shape of a problem. */
export const offline = (): Problem => readProblem({ title: messages.errors.offline, nextAction: 'wait_and_retry' }, 0)

/** Another wallet has signed in meanwhile, in another tab say: the payer's own session brings the payment to its end. */
const isAnothers = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'payer_mismatch'

function fateOf({ code, paymentState }: Problem): Fate {
  if (code === 'inference_failed' || paymentState === 'unused') return 'over'
  return paymentState === undefined ? 'told_nothing' : 'open'
}
