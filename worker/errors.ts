/**
 * Every problem the API can answer with: its code, status and title. Nothing else decides a status.
 * The pages `/problems/<code>` are built from this table and `docs/problems.json` (cause and fix).
 */
export const PROBLEMS = {
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_payment_header: { status: 400, title: 'The Payment-Signature header cannot be read' },
  unsupported_chain: { status: 400, title: 'This chain is not served here' },
  invalid_siwe_message: { status: 400, title: 'The sign-in message is not valid' },
  unauthenticated: { status: 401, title: 'Sign in first' },
  invalid_signature: { status: 401, title: 'The signature does not match' },
  nonce_expired: { status: 401, title: 'The sign-in nonce has expired' },
  nonce_used: { status: 401, title: 'The sign-in nonce was used before' },
  payment_required: { status: 402, title: 'Payment required' },
  payment_rejected: { status: 402, title: 'The payment was rejected' },
  quote_expired: { status: 402, title: 'The quote has expired' },
  csrf_failed: { status: 403, title: 'The request did not come from a trusted page' },
  payer_mismatch: { status: 403, title: 'The payer is not the signed-in wallet' },
  tier_required: { status: 403, title: 'This model needs a higher tier' },
  not_admin: { status: 403, title: 'For administrators only' },
  buyers_restricted: { status: 403, title: 'Buying is restricted on this deployment' },
  not_found: { status: 404, title: 'Nothing here' },
  model_not_found: { status: 404, title: 'No such model' },
  inference_not_found: { status: 404, title: 'No such inference' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here' },
  payment_in_progress: { status: 409, title: 'This payment is being worked on' },
  payment_used_for_other_request: { status: 409, title: 'This payment belongs to another request' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Send JSON' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  inference_failed: { status: 502, title: 'The model run failed after payment' },
  facilitator_unavailable: { status: 503, title: 'The payment facilitator is out of reach' },
  model_unavailable: { status: 503, title: 'The model is out of reach' },
  tier_unavailable: { status: 503, title: 'The tier cannot be read now' },
  database_unavailable: { status: 503, title: 'The database is out of reach' },
  settlement_unknown: { status: 503, title: 'The payment may have settled' },
  misconfigured: { status: 503, title: 'This deployment is not configured' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** What is known about the buyer's money when a problem is answered. */
export type PaymentState = 'unused' | 'in_flight' | 'settled' | 'unknown'

/** What a client should do next; stable words that a program can switch on. */
export type NextAction =
  | 'sign_in'
  | 'sign_new_payment'
  | 'retry_same_payment'
  | 'poll'
  | 'wait_and_retry'
  | 'fix_request'
  | 'give_up'

export interface FieldError {
  /** Where in the request, e.g. `input.prompt`. */
  path: string
  message: string
}

/** The members of a problem document beyond `type`, `title`, `status`, `code` and `requestId`. */
export interface ProblemDetails {
  detail?: string
  errors?: FieldError[]
  paymentState?: PaymentState
  nextAction?: NextAction
  statusUrl?: string
  retryAfterSeconds?: number
  /** Any further members a code defines, e.g. `required` and `actual` of `tier_required`. */
  [member: string]: unknown
}

/** What a problem document is made of. A 402 is a result and no exception: it is one of these, without a stack. */
export interface Problem {
  code: ProblemCode
  details: ProblemDetails
  /** Headers of the answer beyond those of every problem. */
  headers: Record<string, string>
}

/**
 * The one error family of the worker: thrown anywhere, turned into an RFC 9457 problem document by the problem middleware.
 * `cause` stays in the log; only `details` and `headers` reach the caller.
 */
export class AppError extends Error implements Problem {
  readonly code: ProblemCode
  readonly details: ProblemDetails
  readonly headers: Record<string, string>

  constructor(
    code: ProblemCode,
    details: ProblemDetails = {},
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(details.detail ?? PROBLEMS[code].title, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }
}
