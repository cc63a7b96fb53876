/** One run. Times are milliseconds since 1970. */
export interface PredictionRecord {
  id: string
  /** `owner/name` */
  model: string
  /** 64 hex digits, or `hidden` for official models. */
  version: string
  /** One of the provider's six statuses; a test may script any other. */
  status: string
  input: Record<string, unknown>
  output: unknown
  error: string | null
  logs: string
  createdAt: number
  startedAt: number | null
  completedAt: number | null
  /** The caller's deadline: `aborted` before the start, `canceled` after it. */
  deadline: number | null
  /** Seconds of compute; null omits it from the answer. */
  predictTime: number | null
  /** The tokens that a run of text read and wrote; null for other runs, and until it has ended. */
  tokens: { input: number; output: number } | null
  webhook: string | null
  eventsFilter: readonly WebhookEvent[]
  dataRemoved: boolean
  streams: boolean
  /** Names of its files, which are removed with its data. */
  files: string[]
}

export const WEBHOOK_EVENTS = ['start', 'output', 'logs', 'completed'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

const TERMINAL = new Set(['succeeded', 'failed', 'canceled', 'aborted'])

export function isTerminal(record: PredictionRecord): boolean {
  return TERMINAL.has(record.status)
}
