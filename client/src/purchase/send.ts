import { readEvents } from '../event-stream.ts'
import { isFields, parseJson } from '../json-fields.ts'
import { ConnectionError } from '../problem.ts'
import { textOf } from '../session/transport.ts'
import type { PurchaseContext, PurchaseOptions, Signed } from './context.ts'
import type { makeRunEventMapper, RunEvent } from './events.ts'
import { type Outcome, outcomeOf } from './result.ts'

export const INFERENCE_PATH = '/api/inference'

/** The service calls the facilitator before the stream opens. Without a stream it may take 55 s. */
const HEAD_MS = 65_000
/** The stream has a heartbeat every 10 s. */
const IDLE_MS = 35_000

/**
 * Sends a signed payment, for the first time or again, and yields the events of the stream. Returns the outcome. Throws
 * `ConnectionError` when the stream has none.
 */
export async function* sendPayment(
  { transport, proof }: PurchaseContext,
  { signal }: PurchaseOptions,
  { payment, challenge }: Signed,
  toRunEvent: ReturnType<typeof makeRunEventMapper>,
): AsyncGenerator<RunEvent, Outcome, undefined> {
  const response = await transport.call(INFERENCE_PATH, {
    method: 'POST',
    body: payment.body,
    headers: {
      'Payment-Signature': payment.header,
      ...(await proof.headers(INFERENCE_PATH, challenge)),
      Accept: 'text/event-stream, application/json',
    },
    headMs: HEAD_MS,
    idleMs: IDLE_MS,
    signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!isStream || response.body === null) {
    return outcomeOf(parseJson(await textOf(response)), response.status, response.headers.get('retry-after'))
  }
  yield { event: 'connected' }
  const sending = { text: '' }
  for await (const { event, data } of unbroken(response.body)) {
    const value = parseJson(data)
    if (event === 'result') return outcomeOf(value, 200, null)
    if (event === 'pending') return outcomeOf(value, 202, null)
    if (event === 'error') return outcomeOf(value, 500, null)
    const runEvent = isFields(value) ? toRunEvent(event, value, sending) : null
    if (runEvent !== null) yield runEvent
  }
  throw new ConnectionError('the stream broke off')
}

async function* unbroken(body: ReadableStream<Uint8Array>): ReturnType<typeof readEvents> {
  try {
    yield* readEvents(body)
  } catch (cause) {
    throw new ConnectionError('the stream broke off', { cause })
  }
}
