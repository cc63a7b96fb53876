/**
 * Every problem the API can answer with: its code, status, title, and what a client should do next unless the error says
 * otherwise. The pages `/problems/<code>` are generated from this table and `docs/problems.json` (cause and fix).
 */
export const PROBLEMS = {
  invalid_json: { status: 400, title: 'The body is not valid JSON', nextAction: 'fix_request' },
  invalid_request: { status: 400, title: 'The request is not valid', nextAction: 'fix_request' },
  invalid_payment_header: {
    status: 400,
    title: 'The Payment-Signature header cannot be read',
    nextAction: 'fix_request',
  },
  unsupported_chain: { status: 400, title: 'This chain is not served here', nextAction: 'fix_request' },
  invalid_siwe_message: { status: 400, title: 'The sign-in message is not valid', nextAction: 'sign_in' },
  unauthenticated: { status: 401, title: 'Sign in first', nextAction: 'sign_in' },
  invalid_signature: { status: 401, title: 'The signature does not match', nextAction: 'sign_in' },
  nonce_expired: { status: 401, title: 'The sign-in nonce has expired', nextAction: 'sign_in' },
  nonce_used: { status: 401, title: 'The sign-in nonce was used before', nextAction: 'sign_in' },
  payment_required: { status: 402, title: 'Payment required', nextAction: 'sign_new_payment' },
  payment_rejected: { status: 402, title: 'The payment was rejected', nextAction: 'sign_new_payment' },
  quote_expired: { status: 402, title: 'The quote has expired', nextAction: 'sign_new_payment' },
  csrf_failed: { status: 403, title: 'The request did not come from a trusted page', nextAction: 'fix_request' },
  payer_mismatch: { status: 403, title: 'The payer is not the signed-in wallet', nextAction: 'sign_in' },
  tier_required: { status: 403, title: 'This model needs a higher tier', nextAction: 'give_up' },
  not_admin: { status: 403, title: 'For administrators only', nextAction: 'give_up' },
  buyers_restricted: { status: 403, title: 'Buying is restricted on this deployment', nextAction: 'give_up' },
  not_found: { status: 404, title: 'Nothing here', nextAction: 'fix_request' },
  model_not_found: { status: 404, title: 'No such model', nextAction: 'fix_request' },
  inference_not_found: { status: 404, title: 'No such inference', nextAction: 'fix_request' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here', nextAction: 'fix_request' },
  payment_in_progress: { status: 409, title: 'This payment is being worked on', nextAction: 'poll' },
  payment_used_for_other_request: {
    status: 409,
    title: 'This payment belongs to another request',
    nextAction: 'fix_request',
  },
  payload_too_large: { status: 413, title: 'The body is too large', nextAction: 'fix_request' },
  unsupported_media_type: { status: 415, title: 'Send JSON', nextAction: 'fix_request' },
  rate_limited: { status: 429, title: 'Too many requests', nextAction: 'wait_and_retry' },
  internal_error: { status: 500, title: 'Something went wrong on our side', nextAction: 'wait_and_retry' },
  inference_failed: { status: 502, title: 'The model run failed after payment', nextAction: 'give_up' },
  facilitator_unavailable: {
    status: 503,
    title: 'The payment facilitator is out of reach',
    nextAction: 'wait_and_retry',
  },
  model_unavailable: { status: 503, title: 'The model is out of reach', nextAction: 'wait_and_retry' },
  tier_unavailable: { status: 503, title: 'The tier cannot be read now', nextAction: 'wait_and_retry' },
  database_unavailable: { status: 503, title: 'The database is out of reach', nextAction: 'wait_and_retry' },
  settlement_unknown: { status: 503, title: 'The payment may have settled', nextAction: 'poll' },
  misconfigured: { status: 503, title: 'This deployment is not configured', nextAction: 'wait_and_retry' },
} as const satisfies Record<string, { status: number; title: string; nextAction: NextAction }>

export type ProblemCode = keyof typeof PROBLEMS

/** The state of the buyer's money, as far as known, when a problem is answered. */
export type PaymentState = 'unused' | 'in_flight' | 'settled' | 'unknown'

/** The next step for a client; stable words that a program can switch on. */
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
