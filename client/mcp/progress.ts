import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { RunEvent } from '../src/purchase/events.ts'

export type Extra = Pick<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  'signal' | '_meta' | 'sendNotification'
>

function wordsFor(event: RunEvent): string | null {
  switch (event.event) {
    case 'resumed':
      return 'going on with an earlier payment for this request'
    case 'quoted':
      return `the price is ${event.price}`
    case 'settled':
      return `paid: ${event.transaction}`
    case 'running':
      return `the model runs, ${event.seconds} s`
    case 'stored':
      return 'made and stored'
    case 'pending':
      return 'paid; the service tries again later'
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

/** Tells a client that asked for it how a run goes; it may wait longer for a tool that shows signs of life. */
export function progressTo({ _meta, sendNotification }: Extra): (event: RunEvent) => Promise<void> {
  const progressToken = _meta?.progressToken
  let progress = 0
  return async (event) => {
    const message = wordsFor(event)
    if (progressToken === undefined || message === null) return
    progress += 1
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
  }
}
