import { createHmac, randomBytes } from 'node:crypto'
import { pause } from './http.ts'
import type { Change, Store } from './store.ts'
import { isTerminal, type PredictionRecord, type WebhookEvent } from './types.ts'

/** Pauses in ms before each try of the terminal call. The last try is about a minute after the end. */
const RETRY_PAUSES = [0, 500, 1_500, 4_000, 9_000, 18_000, 30_000]
const TRY_TIMEOUT_MS = 5_000
/** Minimum interval between calls for new output and logs. */
const QUIET_MS = 500

/** `v1,<base64>`: the `webhook-signature` header for this id, time (seconds) and raw body. */
export function signWebhook(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** Calls the webhook of each run at the requested events, until `close`. */
export function startWebhooks(options: {
  store: Store
  secret: string
  present: (record: PredictionRecord) => unknown
  now: () => number
}) {
  const counts = { sent: 0, accepted: 0 }
  const closing = new AbortController()
  const lastTold = new Map<string, number>()

  const post = async (url: string, id: string, body: string): Promise<boolean> => {
    const timestamp = String(Math.floor(options.now() / 1000))
    counts.sent += 1
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signWebhook(options.secret, id, timestamp, body),
        },
        body,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TRY_TIMEOUT_MS)]),
      })
      await response.body?.cancel()
      if (response.ok) counts.accepted += 1
      return response.ok
    } catch {
      return false // The receiver does not answer, so the call is retried.
    }
  }

  const tell = async (record: PredictionRecord, url: string): Promise<void> => {
    const id = `msg_${randomBytes(12).toString('hex')}`
    const body = JSON.stringify(options.present(record))
    for (const ms of isTerminal(record) ? RETRY_PAUSES : [0]) {
      await pause(ms, closing.signal)
      if (closing.signal.aborted || (await post(url, id, body))) return
    }
  }

  const isDue = (record: PredictionRecord, change: Change): change is WebhookEvent => {
    if (change === 'created' || !record.eventsFilter.includes(change)) return false
    if (change === 'start' || change === 'completed') return true
    return !isTerminal(record) && options.now() - (lastTold.get(record.id) ?? 0) >= QUIET_MS
  }

  const unsubscribe = options.store.subscribe((record, changes) => {
    if (record.webhook === null || !changes.some((change) => isDue(record, change))) return
    lastTold.set(record.id, options.now())
    if (isTerminal(record)) lastTold.delete(record.id)
    void tell(record, record.webhook)
  })

  return {
    counts,
    close(): void {
      unsubscribe()
      closing.abort()
    },
  }
}
