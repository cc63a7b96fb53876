import type * as z from 'zod'
import type { ProblemCode } from '../../protocol/problems.ts'
import type { SchemaName } from './schemas.ts'

/** Response headers that the document describes. */
export type HeaderName =
  | 'Payment-Required'
  | 'Payment-Response'
  | 'Location'
  | 'Retry-After'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Set-Cookie'
  | 'Content-Disposition'
  | 'Deprecation'
  | 'Sunset'
  | 'X-Robots-Tag'

export interface Answer {
  description: string
  /** The JSON body's schema; none for an empty body. */
  schema?: SchemaName
  headers?: readonly HeaderName[]
  /** Bodies of other media types: a description of each. */
  others?: Readonly<Record<string, string>>
}

/** One call of the API: what the document says of it. `internal_error` and `misconfigured` go for all. */
export interface Operation {
  summary: string
  description?: string
  tag: 'Sign-in' | 'Inference' | 'Sharing' | 'OpenAI' | 'Account' | 'Service' | 'Operators'
  /** `session`: needs the cookie; `csrf`: needs the token header as well. */
  needs?: readonly ('session' | 'csrf')[]
  /** Checked in the handler. */
  query?: () => z.ZodObject
  requestHeaders?: Readonly<Record<string, string>>
  body?: { schema: 'InferenceRequest' | 'EstimateRequest' | 'SignInRequest' | 'ShareRequest' } | { description: string }
  answers: Readonly<Record<number, Answer>>
  /** Problems come in the form that OpenAI's clients read. */
  openaiErrors?: boolean
  problems: readonly ProblemCode[]
}
