import { type Fields, isUuid, textAt } from '../json-fields.ts'
import type { Problem } from '../problem.ts'
import type { Result } from '../types.ts'

/** The events of a run, in order. The last is `result`, or the run throws. `running`, `token`, `again`, `connected` may repeat. */
export type RunEvent =
  /** The run continues with a kept payment. Nothing new is signed. */
  | { event: 'resumed'; paymentId: string }
  | { event: 'quoted'; price: string; network: string }
  | { event: 'signed'; paymentId: string }
  | { event: 'verified' }
  | { event: 'settled'; id: string; transaction: string; network: string }
  | { event: 'running'; logs: string | null; seconds: number }
  | { event: 'token'; text: string }
  | { event: 'stored' }
  /** The service will try again. The record is polled until it has an end. */
  | { event: 'pending'; id: string }
  /** The same payment is sent again after `waitMs`. `problem` is the service's answer; without one the connection broke. */
  | { event: 'again'; why: string; waitMs: number; problem?: Problem }
  /** After `again`: the service answers again. */
  | { event: 'connected' }
  | { event: 'result'; result: Result }

/** Maps the stream's messages to events. A stream that is followed again starts over, so repeated events are left out. */
export function makeRunEventMapper(): (name: string, data: Fields, sending: { text: string }) => RunEvent | null {
  const seen = new Set<string>()
  let text = ''

  const once = (event: RunEvent): RunEvent | null => {
    if (seen.has(event.event)) return null
    seen.add(event.event)
    return event
  }

  return (name, data, sending) => {
    switch (name) {
      case 'verified':
      case 'stored':
        return once({ event: name })
      case 'settled':
        return once({
          event: 'settled',
          id: isUuid(data['id']) ? data['id'] : '',
          transaction: textAt(data, 'transaction') ?? '',
          network: textAt(data, 'network') ?? '',
        })
      case 'running': {
        const seconds = data['seconds']
        return {
          event: 'running',
          logs: textAt(data, 'logs') ?? null,
          seconds: typeof seconds === 'number' ? seconds : 0,
        }
      }
      case 'token': {
        sending.text += textAt(data, 'text') ?? ''
        const more = sending.text.slice(text.length)
        if (more === '') return null
        text += more
        return { event: 'token', text: more }
      }
      default:
        return null
    }
  }
}
