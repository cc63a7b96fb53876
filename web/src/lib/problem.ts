import { type Fields, isFields, maybeNum, maybeStr, oneOf } from './shape.ts'

const NEXT_ACTIONS = [
  'sign_in',
  'sign_new_payment',
  'retry_same_payment',
  'poll',
  'wait_and_retry',
  'fix_request',
  'give_up',
  'none',
] as const
const PAYMENT_STATES = ['unused', 'in_flight', 'settled', 'unknown', 'unsaid'] as const

/** What an answer says to do next; `none` where it says nothing. */
export type NextAction = (typeof NEXT_ACTIONS)[number]
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** A problem document (RFC 9457) as the site uses it. All of it is text, to be shown as text. */
export interface Problem {
  status: number
  code: string
  title: string
  detail: string | null
  requestId: string | null
  nextAction: NextAction
  paymentState: PaymentState
  statusUrl: string | null
  retryAfterSeconds: number | null
  errors: { path: string; message: string }[]
  /** The whole document, for members that a code defines. */
  members: Fields
}

/** Reads a problem document; anything else (a proxy's HTML page, an empty body) becomes a problem without a code of ours. */
export function readProblem(body: unknown, status: number): Problem {
  const from = isFields(body) ? body : {}
  return {
    status,
    code: maybeStr(from, 'code') ?? 'unreadable_answer',
    title: maybeStr(from, 'title') ?? `HTTP ${status}`,
    detail: maybeStr(from, 'detail'),
    requestId: maybeStr(from, 'requestId'),
    nextAction: oneOf(from['nextAction'], NEXT_ACTIONS, 'none'),
    paymentState: oneOf(from['paymentState'], PAYMENT_STATES, 'unsaid'),
    statusUrl: maybeStr(from, 'statusUrl'),
    retryAfterSeconds: maybeNum(from, 'retryAfterSeconds'),
    errors: readFieldErrors(from['errors']),
    members: from,
  }
}

function readFieldErrors(value: unknown): Problem['errors'] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    if (!isFields(item)) return []
    const message = maybeStr(item, 'message')
    return message === null ? [] : [{ path: maybeStr(item, 'path') ?? '', message }]
  })
}

/** An answer of the API that is not the one asked for. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.title)
    this.name = 'ProblemError'
    this.problem = problem
  }
}
