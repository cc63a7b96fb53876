import type * as z from 'zod'
import {
  type FieldError,
  type NextAction,
  type PaymentState,
  PROBLEMS,
  type ProblemCode,
} from '../protocol/problems.ts'
import { firstCharacters } from './lib/text.ts'

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

/** The parts of a problem document. A 402 is a result and not an exception: it is one of these, without a stack. */
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

/** Faults of a request go back to its caller, up to these bounds. */
const MAX_ERRORS = 20
const MAX_CHARACTERS = 100

function short(text: string): string {
  const start = firstCharacters(text, MAX_CHARACTERS)
  return start === text ? text : `${start}…`
}

/** One entry per fault, with the place in the request, below `prefix` if given; a refused member is named itself. */
export function fieldErrors(error: z.core.$ZodError, prefix: readonly string[] = []): FieldError[] {
  return error.issues
    .flatMap((issue): FieldError[] => {
      const at = (...key: string[]): string => short([...prefix, ...issue.path.map(String), ...key].join('.'))
      if (issue.code !== 'unrecognized_keys') return [{ path: at(), message: short(issue.message) }]
      return issue.keys.map((key) => ({ path: at(key), message: 'Unknown member' }))
    })
    .slice(0, MAX_ERRORS)
}
