import type { Problem } from '../problem.ts'

/**
 * What to do about a problem met with a signed payment in hand.
 * `resend` always means the same signed payment, never a new one.
 */
export type NextStep =
  | { do: 'resend'; afterMs: number }
  | { do: 'refresh_csrf' }
  | { do: 'sign_in' }
  | { do: 'sign_again' }
  | { do: 'stop' }

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000
const POLL_MS = 2000

/** Waits grow 1, 2, 4, 8, 15, 15 … seconds; `attempt` counts tries in a row without news, from 0. */
export function backoffMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), LONGEST_WAIT_MS)
}

/** The one place that obeys `nextAction`. An answer without one is judged by its status. */
export function nextStep(problem: Problem, attempt: number): NextStep {
  if (problem.code === 'csrf_failed') return attempt < 3 ? { do: 'refresh_csrf' } : { do: 'stop' }
  const asked = problem.retryAfterSeconds === null ? null : problem.retryAfterSeconds * 1000
  switch (problem.nextAction) {
    case 'sign_in':
      return { do: 'sign_in' }
    case 'sign_new_payment':
      return { do: 'sign_again' }
    case 'poll':
      return { do: 'resend', afterMs: asked ?? POLL_MS }
    case 'retry_same_payment':
    case 'wait_and_retry':
      return { do: 'resend', afterMs: asked ?? backoffMs(attempt) }
    case 'fix_request':
    case 'give_up':
      return { do: 'stop' }
    case 'none':
      return byStatus(problem, attempt, asked)
  }
}

function byStatus(problem: Problem, attempt: number, asked: number | null): NextStep {
  if (problem.status === 401) return { do: 'sign_in' }
  if (problem.status === 402) return { do: 'sign_again' }
  if (problem.code === 'inference_failed') return { do: 'stop' }
  if (problem.status === 409 || problem.status === 429 || problem.status >= 500) {
    return { do: 'resend', afterMs: asked ?? backoffMs(attempt) }
  }
  return { do: 'stop' }
}

/** True where dropping the signed payment may lose money: it settled, is on its way, or nobody knows. */
export function moneyAtRisk(problem: Problem): boolean {
  return (
    problem.paymentState === 'settled' || problem.paymentState === 'in_flight' || problem.paymentState === 'unknown'
  )
}
