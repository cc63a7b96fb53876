import type { Problem } from '../problem.ts'
import { isProofRefused } from '../session/wallet-proof.ts'

/** The next step after a problem during a payment. `send_again` always means the same payment. */
export type Step = 'send_again' | 'poll' | 'prove_again' | 'sign_new' | 'stop'

/**
 * The step for a problem, by its `nextAction`. A second payment is signed only where the service asks for one, says that the first is
 * unused, and the caller allowed it. A proxy's own answer says nothing about the payment, so the payment is sent again, which is
 * always harmless.
 */
export function nextStep(problem: Problem, allowNewPayment: boolean): Step {
  if (isProofRefused(problem)) return 'prove_again'
  switch (problem.nextAction) {
    case 'sign_new_payment':
      return allowNewPayment && problem.paymentState === 'unused' ? 'sign_new' : 'stop'
    case 'retry_same_payment':
    case 'wait_and_retry':
      return 'send_again'
    case 'poll':
      return problem.statusUrl === undefined ? 'send_again' : 'poll'
    case 'sign_in':
    case 'fix_request':
    case 'give_up':
      return 'stop'
    default:
      return isFromProxy(problem) || problem.status === 429 || problem.status >= 500 ? 'send_again' : 'stop'
  }
}

/** True if the answer was not from the service: a page of a proxy or a Wi-Fi, or a redirect. */
export const isFromProxy = ({ code }: Problem): boolean => code.startsWith('http_')

/** True if the problem is final for the payment: it was used, here or for another request. */
export const isFinal = ({ code }: Problem): boolean =>
  code === 'inference_failed' || code === 'payment_used_for_other_request'
