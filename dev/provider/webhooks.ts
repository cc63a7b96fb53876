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
  const lastSent = new Map<string, number>()

  const post = async (url: string, id: string, body: string): Promise<boolean> => {
    counts.sent += 1
    const isAccepted = await postSigned({ url, id, body, secret: options.secret, now: options.now() }, closing.signal)
    if (isAccepted) counts.accepted += 1
    return isAccepted
  }

  const deliver = async (record: PredictionRecord, url: string): Promise<void> => {
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
    return !isTerminal(record) && options.now() - (lastSent.get(record.id) ?? 0) >= QUIET_MS
  }

  const unsubscribe = options.store.subscribe((record, changes) => {
    if (record.webhook === null || !changes.some((change) => isDue(record, change))) return
    lastSent.set(record.id, options.now())
    if (isTerminal(record)) lastSent.delete(record.id)
    void deliver(record, record.webhook)
  })

  return {
    counts,
    close(): void {
      unsubscribe()
      closing.abort()
    },
  }
}

interface SignedCall {
  url: string
  id: string
  body: string
  secret: string
  /** Milliseconds since 1970. */
  now: number
}

/** Makes one try of a webhook call. Returns whether the receiver accepted it. */
async function postSigned({ url, id, body, secret, now }: SignedCall, signal: AbortSignal): Promise<boolean> {
  const timestamp = String(Math.floor(now / 1000))
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signWebhook(secret, id, timestamp, body),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false // The receiver does not answer, so the call is retried.
  }
}
