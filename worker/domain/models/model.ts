import type * as z from 'zod'
import type { OutputType } from '../../upstreams/provider/provider.ts'

export type Task = 'text-to-image' | 'text-to-text' | 'text-to-sound'
export type Tier = 'free' | 'standard' | 'premium'

/** One entry of the catalogue. */
export interface Model {
  /** `owner/name` at the provider: the id callers use. */
  id: string
  /** The provider's name for it: the id, or `owner/name:<64 hex>` where a version must be pinned. */
  providerModel: string
  /** Shown to people, e.g. `FLUX schnell`. */
  name: string
  task: Task
  tier: Tier
  /** One sentence: what it is good at. */
  description: string
  outputType: OutputType
  /** Strict; trims the prompt and applies defaults; bounds the work to about 4 × the typical. */
  inputSchema: z.ZodType<Record<string, unknown>>
  /** JSON Schema (2020-12) of the input, with titles, defaults, bounds and an order to show. */
  inputJsonSchema: Record<string, unknown>
  /** Inputs to start from; each fits `inputSchema`. */
  examples: readonly Record<string, unknown>[]
  /** Name of the input that holds the person's words: `prompt` for most. */
  promptField: string
  /** The day on which its maker published it, e.g. `2024-04-18`. */
  publishedOn: string
  /** The file format that it makes, where that is known and there is no choice, e.g. `wav`. */
  format?: string
  /** The day on which its maker retires it, e.g. `2026-06-15`. */
  deprecatedAt?: string
  /** Id of the model to use instead. */
  replacedBy?: string
}

const OUTPUT_TYPES: Record<Task, OutputType> = {
  'text-to-image': 'image',
  'text-to-text': 'text',
  'text-to-sound': 'audio',
}

/** The type of output that a task produces. */
export const outputTypeOf = (task: Task): OutputType => OUTPUT_TYPES[task]
