import { constants } from 'node:os'

/** A signal ended the command. The message says whether something was signed. */
export class StoppedError extends Error {
  override name = 'StoppedError'
  /** The kept payment; undefined when nothing was signed. */
  readonly paymentId: string | undefined
  /** 128 + signal, as in a shell. */
  readonly exitCode: number

  constructor(signal: NodeJS.Signals, paymentId: string | undefined) {
    super(
      paymentId === undefined
        ? 'Stopped. Nothing was signed.'
        : 'Stopped. The signed payment is kept, and the service may finish it.',
    )
    this.paymentId = paymentId
    this.exitCode = 128 + constants.signals[signal]
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ends the process at a signal, after `report`. Kept payments are on disk, and the next process can use them. */
export function endOnSignal(paymentId: () => string | undefined, report: (error: StoppedError) => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    const error = new StoppedError(signal, paymentId())
    report(error)
    process.exit(error.exitCode)
  }
  for (const signal of SIGNALS) process.once(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}
