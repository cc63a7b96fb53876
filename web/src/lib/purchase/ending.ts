import {
  type Problem,
  ProblemError,
  QuoteLapsedError,
  readProblem,
  SignedOutError,
  UnfinishedError,
} from '@coinslot/client/errors'
import { words } from '../../words/en.ts'
import { NotSigned } from './signer.ts'
import type { Remark } from './states.ts'

/** How a run ended without a result. */
export type Ending =
  /** Nothing was signed. */
  | { end: 'unsigned'; why: Remark }
  /** Nothing was signed: the price has to be asked for again. */
  | { end: 'lapsed' }
  /** The payment is kept; the same one goes on after the sign-in. */
  | { end: 'signed_out' }
  /** `isOver`: the payment may be forgotten, since it was used up or never will be taken. */
  | { end: 'stopped'; problem: Problem; isOver: boolean }

/** What an error of a run means for the person. */
export function endingOf(error: unknown): Ending {
  if (error instanceof NotSigned) return { end: 'unsigned', why: error.why }
  if (error instanceof QuoteLapsedError) return { end: 'lapsed' }
  if (error instanceof SignedOutError || isAnothers(error)) return { end: 'signed_out' }
  if (error instanceof ProblemError) return { end: 'stopped', problem: error.problem, isOver: isOver(error.problem) }
  if (error instanceof UnfinishedError && error.cause instanceof ProblemError) {
    return { end: 'stopped', problem: error.cause.problem, isOver: false }
  }
  console.warn('coinslot: the purchase stopped', error)
  return { end: 'stopped', problem: offline(), isOver: false }
}

/** No answer at all, in the shape of a problem. */
export const offline = (): Problem => readProblem({ title: words.errors.offline, nextAction: 'wait_and_retry' }, 0)

/** Another wallet has signed in meanwhile, in another tab say: the payer's own session brings the payment to its end. */
const isAnothers = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'payer_mismatch'

/** Where money may be on its way without an outcome, the payment stays and the next visit asks again. */
function isOver({ code, paymentState }: Problem): boolean {
  return code === 'inference_failed' || paymentState === undefined || paymentState === 'unused'
}
