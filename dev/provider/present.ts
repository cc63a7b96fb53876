import type { PredictionRecord } from './types.ts'

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** The run as the API shows it. `base` is the address up to `/v1`. */
export function present(
  record: PredictionRecord,
  base: string,
  options: { hideWebhook?: boolean } = {},
): Record<string, unknown> {
  const { predictTime, completedAt, createdAt, tokens } = record
  const counts = tokens === null ? {} : { input_token_count: tokens.input, output_token_count: tokens.output }
  const total = completedAt === null ? {} : { total_time: (completedAt - createdAt) / 1000 }
  return {
    id: record.id,
    model: record.model,
    version: record.version,
    status: record.status,
    input: record.input,
    output: record.output,
    error: record.error,
    logs: record.logs,
    source: 'api',
    data_removed: record.dataRemoved,
    created_at: iso(createdAt),
    started_at: iso(record.startedAt),
    completed_at: iso(completedAt),
    ...(record.deadline === null ? {} : { deadline: iso(record.deadline) }),
    metrics: { ...(predictTime === null ? {} : { predict_time: predictTime }), ...counts, ...total },
    ...(record.webhook === null || options.hideWebhook
      ? {}
      : { webhook: record.webhook, webhook_events_filter: record.eventsFilter }),
    urls: {
      get: `${base}/predictions/${record.id}`,
      cancel: `${base}/predictions/${record.id}/cancel`,
      ...(record.streams ? { stream: `${base}/streams/${record.id}` } : {}),
    },
  }
}
