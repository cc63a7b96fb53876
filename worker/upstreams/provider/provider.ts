/** The kind of what a model makes: one text, pictures, or sounds. */
export type OutputType = 'text' | 'image' | 'audio'

/** A model run at the provider, reduced to what the purchase needs. */
export interface Prediction {
  id: string
  /** `running` covers `starting`, `processing` and every status we do not know. */
  status: 'running' | 'succeeded' | 'failed'
  /** The provider's own word, e.g. `aborted`; for the log and for deadlines. */
  rawStatus: string
  /** As the provider returned it; null once its data were removed. */
  output: unknown
  /** The provider's reason of a failure, at most 200 characters. */
  error: string | null
  /** Last line of the provider's log, at most 200 characters. */
  lastLog: string | null
  /** Milliseconds of compute, an integer; null when the provider did not say. */
  predictTimeMs: number | null
  /** Tokens that a run of text read and wrote; null when the provider did not say. */
  tokens: { input: number; output: number } | null
  /** The webhook URL the run was created with, which carries our correlation id; null where the answer leaves it out. */
  webhook: string | null
  createdAt: Date | null
  /** True when input and output were deleted at the provider. */
  dataRemoved: boolean
}

export interface CreatePrediction {
  /** Catalogue id: `owner/name`, or `owner/name:<64 hex>` for a pinned version. */
  model: string
  input: Record<string, unknown>
  /** Carries the correlation id; sent even when no webhook secret is set. */
  webhookUrl: string
  /** Whole seconds, 1 to 60: the answer comes when the run has ended, or after so long. 0: at once. */
  waitSeconds: number
}

/**
 * A failure of the provider. `input` means it refused this input or model for good (4xx): the run will never succeed;
 * `unavailable` means try again later: out of reach, 429, 401, 402, 5xx, nonsense. `maybeStarted`: a run may exist even so.
 * `missing`: an output file is not there yet: 404, 410, or no file of any kind in its place.
 */
export class ProviderError extends Error {
  readonly kind: 'input' | 'unavailable'
  readonly maybeStarted: boolean
  readonly missing: boolean
  readonly retryAfterSeconds: number | undefined
  /** The provider answered a read with 429: it works, and we read too often. */
  readonly throttledRead: boolean

  constructor(
    kind: 'input' | 'unavailable',
    detail: string,
    options: {
      maybeStarted?: boolean
      missing?: boolean
      retryAfterSeconds?: number
      throttledRead?: boolean
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.maybeStarted = options.maybeStarted ?? false
    this.missing = options.missing ?? false
    this.retryAfterSeconds = options.retryAfterSeconds
    this.throttledRead = options.throttledRead ?? false
  }
}

/** A file the provider made, opened for copying. */
export interface ProviderFile {
  body: ReadableStream<Uint8Array>
  /** Bytes, if the provider said so. */
  length: number | null
}

/** A Replicate-style model provider. Methods throw `ProviderError`. */
export interface Provider {
  /** Starts a run. Not idempotent: a caller that lost the answer must search with `list` first. */
  create(request: CreatePrediction): Promise<Prediction>
  get(id: string): Promise<Prediction>
  cancel(id: string): Promise<void>
  /** Runs created since `since`, newest first, one page at a time, bounded in pages; follows no `next` to another host. */
  list(since: Date): AsyncIterable<Prediction>
  /** Opens an output file; refuses hosts that are not allowed, redirects, and anything but http(s) and `data:` with `ProviderError input`. */
  openFile(url: string): Promise<ProviderFile>
  /** The JSON Schemas of a model (`owner/name`, or `owner/name:<64 hex>`) by name, `Input` among them; null when it is not there. */
  readModel(model: string): Promise<Record<string, unknown> | null>
  /** Resolves when the provider answers an authenticated call within 2 s, else throws. */
  check(): Promise<void>
}
