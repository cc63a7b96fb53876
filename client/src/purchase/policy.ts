import type { Problem } from '../problem.ts'

/** What to do about a problem that was met with a signed payment in hand. `send_again` is always the same payment. */
export type Step = 'send_again' | 'poll' | 'sign_in' | 'refresh_csrf' | 'sign_new' | 'stop'

/**
 * The one place that obeys `nextAction`. A second payment is signed only where the service asks for one, says that the first
 * is unused, and the caller allowed it. A proxy's answer in its own words is no word on the payment, so that is sent again, which
 * is always harmless.
 */
export function nextStep(problem: Problem, allowNewPayment: boolean): Step {
  if (problem.code === 'csrf_failed') return 'refresh_csrf'
  switch (problem.nextAction) {
    case 'sign_in':
      return problem.status === 401 ? 'sign_in' : 'stop'
    case 'sign_new_payment':
      return allowNewPayment && problem.paymentState === 'unused' ? 'sign_new' : 'stop'
    case 'retry_same_payment':
    case 'wait_and_retry':
      return 'send_again'
    case 'poll':
      return problem.statusUrl === undefined ? 'send_again' : 'poll'
    case 'fix_request':
    case 'give_up':
      return 'stop'
    default:
      return isProxys(problem) || problem.status === 429 || problem.status >= 500 ? 'send_again' : 'stop'
  }
}

/** Whether no document of the service was in the answer: a proxy's page, a Wi-Fi's, a redirect. */
export const isProxys = ({ code }: Problem): boolean => code.startsWith('http_')

/** Whether the problem is the last word on a payment that was made, or that belongs to another request. */
export const isFinal = ({ code }: Problem): boolean =>
  code === 'inference_failed' || code === 'payment_used_for_other_request'
