import { constants } from 'node:os'

/** Somebody ended the command in the middle. The message says what that means for the money. */
export class StoppedError extends Error {
  override name = 'StoppedError'
  /** The payment that is kept; undefined where nothing was signed. */
  readonly paymentId: string | undefined
  /** As a shell shows the end by a signal. */
  readonly exitCode: number

  constructor(signal: NodeJS.Signals, paymentId: string | undefined) {
    super(
      paymentId === undefined
        ? 'Stopped. Nothing was signed.'
        : 'Stopped. The signed payment is kept, and the service may go on with what it got of it.',
    )
    this.paymentId = paymentId
    this.exitCode = 128 + constants.signals[signal]
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ends the process at a signal, after `tell`: what is kept is on the disk already, and free again for the next process. */
export function endOnSignal(paymentId: () => string | undefined, tell: (error: StoppedError) => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    const error = new StoppedError(signal, paymentId())
    tell(error)
    process.exit(error.exitCode)
  }
  for (const signal of SIGNALS) process.once(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}
