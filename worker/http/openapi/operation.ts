import type * as z from 'zod'
import type { ProblemCode } from '../../../protocol/problems.ts'
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

/** Bodies that have a schema in the document. */
export type RequestName =
  | 'InferenceRequest'
  | 'EstimateRequest'
  | 'SignInRequest'
  | 'ShareRequest'
  | 'ChatCompletionRequest'
  | 'ImageGenerationRequest'
  | 'ResponseRequest'
  | 'SpeechRequest'

/** A description of each group of calls. */
export const TAGS = {
  'Sign-in': 'A session of a wallet, by cookie.',
  Inference: 'Prices, purchases and their results.',
  Sharing: 'Results that their owner shows to others.',
  OpenAI: 'The same purchase in the form of OpenAI.',
  MCP: 'The same purchase as tools of the Model Context Protocol.',
  Account: 'What a wallet bought, holds and staked.',
  Service: 'The service itself: health, figures, descriptions.',
  Operators: 'For the operator of the deployment.',
} as const

/** One call of the API: what the document says of it. `internal_error` and `misconfigured` go for all. */
export interface Operation {
  summary: string
  description?: string
  tag: keyof typeof TAGS
  /** `session`: needs the cookie; `csrf`: needs the token header as well. */
  needs?: readonly ('session' | 'csrf')[]
  /** Checked in the handler. */
  query?: () => z.ZodObject
  requestHeaders?: Readonly<Record<string, string>>
  body?: { schema: RequestName } | { description: string }
  answers: Readonly<Record<number, Answer>>
  /** True if a payment is taken: directories read the price range. */
  isPaid?: boolean
  /** Problems come in the form that OpenAI's clients read. */
  openaiErrors?: boolean
  problems: readonly ProblemCode[]
}
