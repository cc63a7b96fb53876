import type { RunEvent } from '../../src/purchase/events.ts'
import type { Caller } from './tool.ts'

function messageFor(event: RunEvent): string | null {
  switch (event.event) {
    case 'resumed':
      return 'sending an earlier payment for this request again'
    case 'quoted':
      return `the price is ${event.price}`
    case 'settled':
      return `paid: ${event.transaction}`
    case 'running':
      return `the model is running, ${event.seconds} s`
    case 'stored':
      return 'stored'
    case 'pending':
      return 'paid; the service will try again'
    case 'again':
      return `${event.why}; sending the same payment again`
    case 'signed':
    case 'verified':
    case 'token':
    case 'connected':
    case 'result':
      return null
  }
}

/** Sends the progress of a run to a client that asked for it. Some clients extend a tool's time limit on each message. */
export function progressTo({ _meta, notify }: Caller): (event: RunEvent) => Promise<void> {
  const progressToken = _meta?.progressToken
  let progress = 0
  return async (event) => {
    const message = messageFor(event)
    if (progressToken === undefined || message === null) return
    progress += 1
    await notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
  }
}
