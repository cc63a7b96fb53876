import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { call, type Fetch } from '../../lib/http.ts'
import { type DescribedError, scrub } from '../../lib/log.ts'
import type { ErrorReport, ErrorTracker } from './error-tracker.ts'

const DEADLINE_MS = 3_000
/** Reports per minute and isolate: an outage makes thousands of the same error, and the first ones are enough. */
const PER_MINUTE = 20
const MINUTE_MS = 60_000
const MAX_LENGTH = 16_384

/** Where a DSN (`https://<key>@<host>/<path>/<project>`) sends its events; null for any other text. */
export function readDsn(dsn: string): { key: string; url: string } | null {
  const url = URL.parse(dsn)
  const [, path = '', project] = /^(.*)\/(\d+)\/?$/.exec(url?.pathname ?? '') ?? []
  if (url === null || url.username === '' || project === undefined) return null
  return { key: url.username, url: `${url.origin}${path}/api/${project}/envelope/` }
}

const described: () => z.ZodType<DescribedError> = once(() =>
  z.object({
    name: z.string(),
    message: z.string().optional(),
    at: z.array(z.string()).optional(),
    get cause() {
      return described().optional()
    },
  }),
)

/** `at run (worker/app.js:12:34)` as the protocol has it. */
function frameOf(line: string): Record<string, unknown> {
  const [, name, file, row, column] = /^at (?:(.*?) \()?(.*?):(\d+):(\d+)\)?$/.exec(line) ?? []
  if (file === undefined) return { function: line }
  return { ...(name !== undefined && { function: name }), filename: file, lineno: Number(row), colno: Number(column) }
}

/** Causes first and the oldest frame first: the protocol's order is the opposite of a stack's. */
function exceptionsOf(error: DescribedError | undefined): Record<string, unknown>[] {
  if (error === undefined) return []
  const frames = (error.at ?? []).map(frameOf).reverse()
  return [
    ...exceptionsOf(error.cause),
    { type: error.name, value: error.message ?? '', ...(frames.length > 0 && { stacktrace: { frames } }) },
  ]
}

function eventOf({ event, fields, context }: ErrorReport, dropped: number): Record<string, unknown> {
  const { cause, ...extra } = fields
  const values = exceptionsOf(described().safeParse(cause).data)
  return {
    platform: 'javascript',
    level: 'error',
    logger: event,
    logentry: { formatted: event },
    tags: context,
    extra: dropped === 0 ? extra : { ...extra, dropped },
    // One group per kind of error, whatever ids are in its fields.
    fingerprint: [event, String(fields['code'] ?? ''), String(values.at(-1)?.['type'] ?? '')],
    ...(values.length > 0 && { exception: { values } }),
  }
}

interface SentryOptions {
  /** One that `readDsn` can read. */
  dsn: string
  environment: string
  fetch: Fetch
  now(): Date
  newId(): string
}

/**
 * Sends errors as envelopes of the Sentry protocol: scrubbed, each tried once for 3 s, at most 20 per minute; what is beyond that
 * is counted, and the next report carries the number.
 */
export function makeSentryTracker({ dsn, environment, fetch, now, newId }: SentryOptions): ErrorTracker {
  const target = readDsn(dsn)
  if (target === null) throw new Error('the DSN has no key or no project')
  const auth = `Sentry sentry_version=7, sentry_client=coinslot/1, sentry_key=${target.key}`
  const window = { startedAt: -Infinity, sent: 0, dropped: 0 }

  const mayReport = (time: number): boolean => {
    if (time - window.startedAt >= MINUTE_MS) Object.assign(window, { startedAt: time, sent: 0 })
    window.sent += 1
    if (window.sent <= PER_MINUTE) return true
    window.dropped += 1
    return false
  }

  function envelopeOf(report: ErrorReport, time: Date): string {
    const id = newId().replaceAll('-', '')
    const event = { event_id: id, timestamp: time.toISOString(), environment, ...eventOf(report, window.dropped) }
    const whole = scrub(JSON.stringify(event))
    const item = whole.length <= MAX_LENGTH ? whole : scrub(JSON.stringify({ ...event, extra: {}, exception: {} }))
    return `${JSON.stringify({ event_id: id, sent_at: time.toISOString() })}\n{"type":"event"}\n${item}\n`
  }

  return {
    async report(report) {
      const time = now()
      if (!mayReport(time.getTime())) return
      const body = envelopeOf(report, time)
      window.dropped = 0
      const headers = { 'Content-Type': 'application/x-sentry-envelope', 'X-Sentry-Auth': auth }
      const { status } = await call(fetch, target.url, { method: 'POST', headers, body, deadlineMs: DEADLINE_MS })
      if (status >= 300) throw new Error(`the error tracker answered HTTP ${status}`)
    },
  }
}
