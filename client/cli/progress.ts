import type { RunEvent } from '../src/purchase/events.ts'
import type { Screen } from './terminal.ts'

export type Progress = (event: RunEvent) => void

/** Shows the events of a run. `onToken` gets the pieces of a text. */
export function showProgress(screen: Screen, onToken: (text: string) => void): Progress {
  return (event) => {
    switch (event.event) {
      case 'resumed':
        screen.line('  continuing with the payment that is kept for this request')
        return screen.wait('sending it again')
      case 'quoted':
        screen.done('quoted', event.price)
        return screen.wait('signing')
      case 'signed':
        screen.done('signed, no gas needed')
        return screen.wait('paying')
      case 'settled':
        screen.done('paid', event.transaction)
        return screen.wait('the model is running')
      case 'token':
        screen.end()
        return onToken(event.text)
      case 'stored':
        return screen.done('stored')
      case 'pending':
        screen.line('  paid; the service will try again')
        return screen.wait('waiting for the result')
      case 'again':
        screen.line(`  ${event.why}; sending the same payment again in ${(event.waitMs / 1_000).toFixed(1)} s`)
        return screen.wait('sending it again')
      case 'connected':
      case 'running':
      case 'verified':
      case 'result':
        return
    }
  }
}
