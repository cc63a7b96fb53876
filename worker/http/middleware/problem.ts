import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { DatabaseUnavailable } from '../../../db/client.ts'
import { PROBLEMS, type ProblemCode } from '../../../protocol/problems.ts'
import type { RequestDeps } from '../../domain/deps.ts'
import { countCall, rateLimited } from '../../domain/rate-limits/enforce.ts'
import { AppError, type Problem } from '../../errors.ts'
import { rateLimitKey } from '../../lib/client-address.ts'
import { describeError } from '../../lib/log.ts'
import type { AppEnv } from '../context.ts'
import { addFixedHeaders } from './fixed-headers.ts'

/** The machine-readable and the readable description of the API (RFC 8631), for a `Link` header. */
export const SERVICE_LINKS = '</api/openapi.json>; rel="service-desc", </docs>; rel="service-doc"'

/** The problem document without a response around it: also the data of an `error` event in a stream. */
export function problemDocument({ code, details: { detail, ...details } }: Problem, requestId: string) {
  const { status, title, nextAction } = PROBLEMS[code]
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: detail ?? title,
    code,
    requestId,
    nextAction,
    ...details,
  }
}

/** The headers of every answer with a code, which are copied for each: to set them one by one would cost a 402 a tenth. */
const prepared = new Map<ProblemCode, Headers>()

function preparedHeaders(code: ProblemCode): Headers {
  const known = prepared.get(code)
  if (known !== undefined) return known
  const Link = `</problems/${code}>; rel="help", ${SERVICE_LINKS}`
  const headers = new Headers({ 'Content-Type': 'application/problem+json', Link })
  addFixedHeaders(headers)
  prepared.set(code, headers)
  return headers
}

/**
 * An RFC 9457 `application/problem+json` response: the document above, the error's own headers, `Retry-After` where it is known,
 * and where a program that is lost reads on.
 */
export function problemResponse(c: Context<AppEnv>, problem: Problem): Response {
  const { code, details, headers } = problem
  const response = new Response(JSON.stringify(problemDocument(problem, c.get('requestId'))), {
    status: PROBLEMS[code].status,
    headers: preparedHeaders(code),
  })
  if (details.retryAfterSeconds !== undefined) response.headers.set('Retry-After', String(details.retryAfterSeconds))
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** Turns anything thrown into one of our errors. Only an `AppError` shows the caller a cause; the rest goes to the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DatabaseUnavailable) {
    return new AppError('database_unavailable', { detail: 'Try again in a moment.' }, { cause: error })
  }
  if (error instanceof HTTPException && error.status === 413)
    return new AppError('payload_too_large', {}, { cause: error })
  return new AppError('internal_error', {}, { cause: error })
}

/** How a problem is answered. */
export type RespondWithProblem = (c: Context<AppEnv>, problem: Problem) => Response

/** Refusals of a request's form. They cost no one anything but this service's time. */
const MALFORMED: ReadonlySet<ProblemCode> = new Set([
  'invalid_json',
  'invalid_request',
  'invalid_payment_header',
  'invalid_siwe_message',
  'payload_too_large',
  'unsupported_media_type',
])

/** The problem itself, or `rate_limited` where this address sent too many malformed requests. */
async function countMalformed(c: Context<AppEnv>, problem: AppError): Promise<AppError> {
  // Not there while the deployment is misconfigured.
  const deps: RequestDeps | undefined = c.get('deps')
  if (deps === undefined || !MALFORMED.has(problem.code)) return problem
  const decision = await countCall(deps, 'malformed', rateLimitKey(c.get('clientAddress')))
  return decision.allowed ? problem : rateLimited('malformed', decision)
}

/**
 * Hono's `onError`: every thrown error is answered as a problem; the unexpected ones are logged with their cause. Refusals of a
 * request's form count against its address.
 */
export const onErrorWith =
  (respond: RespondWithProblem): ErrorHandler<AppEnv> =>
  async (error, c) => {
    const problem = toAppError(error)
    if (problem.status >= 500) {
      const { code, cause = problem } = problem
      c.get('log').error('problem', {
        code,
        method: c.req.method,
        route: routePath(c, -1),
        cause: describeError(cause),
      })
    }
    return respond(c, await countMalformed(c, problem))
  }
