import type { FieldError, NextAction, PaymentState, ProblemCode } from '../../protocol/problems.ts'
import { type Fields, isFields, isText, textAt } from './json-fields.ts'

/** A problem document (RFC 9457) of the service. `code` is `http_<status>` for an answer of another kind. */
export interface Problem {
  code: ProblemCode | `http_${number}`
  status: number
  /** A few words for the kind of problem; `HTTP <status>` when the answer has none. */
  title: string
  /** The fault in this case; the title when the answer has no detail. */
  detail: string
  requestId?: string
  errors?: FieldError[]
  paymentState?: PaymentState
  nextAction?: NextAction
  statusUrl?: string
  retryAfterSeconds?: number
  /** The whole document, with the members that a code adds. */
  document: Fields
}

/** True if the call needs a session that it does not have: 401, or the 402 of a call that was not signed in. */
export const isSignedOut = ({ status, nextAction }: Problem): boolean =>
  nextAction === 'sign_in' && (status === 401 || status === 402)

/** The base class of this library's errors. */
export class CoinslotError extends Error {
  override name = 'CoinslotError'
}

/** The service refused. */
export class ProblemError extends CoinslotError {
  override name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`)
    this.problem = problem
  }
}

/** No answer, or one that broke off. Nothing was signed, unless this is the cause of an `UnfinishedError`. */
export class ConnectionError extends CoinslotError {
  override name = 'ConnectionError'
}

const ACTIONS: readonly NextAction[] = [
  'sign_in',
  'sign_new_payment',
  'retry_same_payment',
  'poll',
  'wait_and_retry',
  'fix_request',
  'give_up',
]
const STATES: readonly PaymentState[] = ['unused', 'in_flight', 'settled', 'unknown']

const isFieldError = (value: unknown): value is FieldError =>
  isFields(value) && isText(value['path']) && isText(value['message'])

/** Accepts codes that this version does not know. */
const isCode = (value: unknown): value is ProblemCode => isText(value) && /^[a-z][a-z0-9_]*$/.test(value)

/** The path at `key`; undefined when it leads to another origin, which must not get the session's cookies. */
function pathAt(from: Fields, key: string): string | undefined {
  const path = textAt(from, key)
  return path?.startsWith('/') && new URL(path, 'http://a').origin === 'http://a' ? path : undefined
}

/** The problem in the body of an answer. An answer of another kind gets its status as the code. */
export function readProblem(body: unknown, status: number, retryAfter?: string | null): Problem {
  const document = isFields(body) ? body : {}
  const code = document['code']
  const seconds = document['retryAfterSeconds'] ?? Number(retryAfter ?? Number.NaN)
  const requestId = textAt(document, 'requestId')
  const statusUrl = pathAt(document, 'statusUrl')
  const errors = Array.isArray(document['errors']) ? document['errors'].filter(isFieldError) : []
  const nextAction = ACTIONS.find((action) => action === document['nextAction'])
  const paymentState = STATES.find((state) => state === document['paymentState'])
  const title = textAt(document, 'title')
  return {
    code: isCode(code) ? code : `http_${status}`,
    status: typeof document['status'] === 'number' ? document['status'] : status,
    title: title ?? `HTTP ${status}`,
    detail: textAt(document, 'detail') ?? title ?? `the service answered ${status}`,
    ...(requestId !== undefined && { requestId }),
    ...(errors.length > 0 && { errors }),
    ...(paymentState !== undefined && { paymentState }),
    ...(nextAction !== undefined && { nextAction }),
    ...(statusUrl !== undefined && { statusUrl }),
    ...(typeof seconds === 'number' && seconds >= 0 && { retryAfterSeconds: seconds }),
    document,
  }
}
