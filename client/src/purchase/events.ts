import { type Fields, isUuid, textAt } from '../json-fields.ts'
import type { Problem } from '../problem.ts'
import type { Result } from '../types.ts'

/** What a run tells, in order; it always ends with `result`, or throws. Each but `running`, `token`, `again` and `connected` comes once. */
export type RunEvent =
  /** A kept payment for this very request is gone on with; nothing new will be signed. */
  | { event: 'resumed'; paymentId: string }
  | { event: 'quoted'; price: string; network: string }
  | { event: 'signed'; paymentId: string }
  | { event: 'verified' }
  | { event: 'settled'; id: string; transaction: string; network: string }
  | { event: 'running'; logs: string | null; seconds: number }
  | { event: 'token'; text: string }
  | { event: 'stored' }
  /** The service tries again later; the record is asked for until it has an end. */
  | { event: 'pending'; id: string }
  /** The same payment is sent again after `waitMs`; `problem` is what the service said, none where the connection broke. */
  | { event: 'again'; why: string; waitMs: number; problem?: Problem }
  /** After `again`: the service is there, and tells the rest. */
  | { event: 'connected' }
  | { event: 'result'; result: Result }

/** Turns the stream's messages into events. A followed stream starts over, so what was told before is left out. */
export function makeRunEventMapper(): (name: string, data: Fields, sending: { text: string }) => RunEvent | null {
  const told = new Set<string>()
  let text = ''

  const once = (event: RunEvent): RunEvent | null => {
    if (told.has(event.event)) return null
    told.add(event.event)
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
