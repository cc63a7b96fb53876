import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { DatabaseUnavailable } from '../../db/client.ts'
import type { AppEnv } from '../context.ts'
import { AppError, type NextAction, PROBLEMS, type Problem, type ProblemCode } from '../errors.ts'
import { describeError } from '../lib/log.ts'

/** What a client can do about each code, unless the thrower knows better. */
export const NEXT_ACTIONS: Partial<Record<ProblemCode, NextAction>> = {
  invalid_json: 'fix_request',
  invalid_request: 'fix_request',
  invalid_payment_header: 'fix_request',
  unsupported_chain: 'fix_request',
  invalid_siwe_message: 'sign_in',
  unauthenticated: 'sign_in',
  invalid_signature: 'sign_in',
  nonce_expired: 'sign_in',
  nonce_used: 'sign_in',
  payment_required: 'sign_new_payment',
  payment_rejected: 'sign_new_payment',
  quote_expired: 'sign_new_payment',
  csrf_failed: 'fix_request',
  payer_mismatch: 'sign_new_payment',
  tier_required: 'give_up',
  not_admin: 'give_up',
  buyers_restricted: 'give_up',
  not_found: 'fix_request',
  model_not_found: 'fix_request',
  inference_not_found: 'fix_request',
  method_not_allowed: 'fix_request',
  payment_in_progress: 'poll',
  payment_used_for_other_request: 'sign_new_payment',
  payload_too_large: 'fix_request',
  unsupported_media_type: 'fix_request',
  rate_limited: 'wait_and_retry',
  internal_error: 'wait_and_retry',
  inference_failed: 'give_up',
  facilitator_unavailable: 'wait_and_retry',
  model_unavailable: 'wait_and_retry',
  tier_unavailable: 'wait_and_retry',
  database_unavailable: 'wait_and_retry',
  settlement_unknown: 'poll',
  misconfigured: 'wait_and_retry',
}

/** The machine-readable and the readable description of the API (RFC 8631), for a `Link` header. */
export const SERVICE_LINKS = '</api/openapi.json>; rel="service-desc", </docs>; rel="service-doc"'

/** The problem document without a response around it: also the data of an `error` event in a stream. */
export function problemDocument({ code, details: { detail, ...details } }: Problem, requestId: string) {
  const { status, title } = PROBLEMS[code]
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: detail ?? title,
    code,
    requestId,
    nextAction: NEXT_ACTIONS[code],
    ...details,
  }
}

/**
 * An RFC 9457 `application/problem+json` response: the document above, the error's own headers, `Retry-After` where it is known,
 * and where a program that is lost reads on.
 */
export function problemResponse(c: Context<AppEnv>, problem: Problem): Response {
  const { code, details, headers } = problem
  return new Response(JSON.stringify(problemDocument(problem, c.get('requestId'))), {
    status: PROBLEMS[code].status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(details.retryAfterSeconds !== undefined && { 'Retry-After': String(details.retryAfterSeconds) }),
      ...headers,
      Link: `</problems/${code}>; rel="help", ${SERVICE_LINKS}`,
    },
  })
}

/** Turns anything thrown into one of our errors. Only `AppError`s tell the caller a cause; the rest goes to the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DatabaseUnavailable) {
    return new AppError('database_unavailable', { detail: 'Try again in a moment.' }, { cause: error })
  }
  if (error instanceof HTTPException && error.status === 413)
    return new AppError('payload_too_large', {}, { cause: error })
  return new AppError('internal_error', {}, { cause: error })
}

/** Hono's `onError`: every thrown error becomes a problem document; the unexpected ones are logged with their cause. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  const problem = toAppError(error)
  if (problem.status >= 500) {
    const { code, cause = problem } = problem
    c.get('log').error('problem', { code, method: c.req.method, route: routePath(c, -1), cause: describeError(cause) })
  }
  return problemResponse(c, problem)
}
