import type { FieldError, NextAction, PaymentState, ProblemCode } from '../../worker/errors.ts'
import { type Fields, isFields, isText, textAt } from './shape.ts'

/** A problem document (RFC 9457) as the service answers it. `code` is `http_<status>` where the answer was none. */
export interface Problem {
  code: ProblemCode | `http_${number}`
  status: number
  detail: string
  requestId?: string
  errors?: FieldError[]
  paymentState?: PaymentState
  nextAction?: NextAction
  statusUrl?: string
  retryAfterSeconds?: number
  /** The document as it came, with the members that a code adds. */
  document: Fields
}

/** Everything this library throws on purpose. */
export class CoinslotError extends Error {
  override name = 'CoinslotError'
}

/** The service said no. */
export class ProblemError extends CoinslotError {
  override name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`)
    this.problem = problem
  }
}

/** No answer, or one that broke off. Nothing was signed, or the error that carries this one says so. */
export class ConnectionError extends CoinslotError {
  override name = 'ConnectionError'
}

/** The price is above `maxUsdc`, or nothing that the service takes may be signed. Nothing was signed. */
export class SpendCapError extends CoinslotError {
  override name = 'SpendCapError'
}

/** The budget does not hold the price. Nothing was signed. */
export class BudgetError extends CoinslotError {
  override name = 'BudgetError'
}

/** A signed payment whose result is not here yet. It is kept in the store: `run` with the same request, or `resume`, goes on. */
export class UnfinishedError extends CoinslotError {
  override name = 'UnfinishedError'
  /** Name of the kept payment, for `resume`. */
  readonly paymentId: string
  /** Id of the inference, where the service has told it. */
  readonly inferenceId: string | undefined

  constructor(paymentId: string, inferenceId: string | undefined, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(
      `The result is not here yet (${why}). The signed payment is kept: run the same request again to go on with it.`,
      {
        cause,
      },
    )
    this.paymentId = paymentId
    this.inferenceId = inferenceId
  }
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

/** Codes are written by the service alone; one that is new to us is still a code. */
const isCode = (value: unknown): value is ProblemCode => isText(value) && /^[a-z][a-z0-9_]*$/.test(value)

/** The problem in the body of an answer; an answer of another kind is named by its status. */
export function readProblem(body: unknown, status: number, retryAfter?: string | null): Problem {
  const document = isFields(body) ? body : {}
  const code = document['code']
  const seconds = document['retryAfterSeconds'] ?? Number(retryAfter ?? Number.NaN)
  const requestId = textAt(document, 'requestId')
  const statusUrl = textAt(document, 'statusUrl')
  const errors = Array.isArray(document['errors']) ? document['errors'].filter(isFieldError) : []
  const nextAction = ACTIONS.find((action) => action === document['nextAction'])
  const paymentState = STATES.find((state) => state === document['paymentState'])
  return {
    code: isCode(code) ? code : `http_${status}`,
    status: typeof document['status'] === 'number' ? document['status'] : status,
    detail: textAt(document, 'detail') ?? textAt(document, 'title') ?? `the service answered ${status}`,
    ...(requestId !== undefined && { requestId }),
    ...(errors.length > 0 && { errors }),
    ...(paymentState !== undefined && { paymentState }),
    ...(nextAction !== undefined && { nextAction }),
    ...(statusUrl !== undefined && { statusUrl }),
    ...(typeof seconds === 'number' && seconds >= 0 && { retryAfterSeconds: seconds }),
    document,
  }
}
