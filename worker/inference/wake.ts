import type { RequestDeps } from '../context.ts'
import { describeError } from '../lib/log.ts'
import type { WakeUp } from '../wake-ups/waker.ts'

/** Has a worker look at this after `at`, where wake-ups are sent. It takes no time, and a failure is left to the scheduled job. */
export function wakeAt({ waker, waitUntil, log }: RequestDeps, wakeUp: WakeUp, at: Date): void {
  if (waker === undefined) return
  waitUntil(
    waker.wake(wakeUp, at).catch((error: unknown) => log.warn('wake_up.not_sent', { cause: describeError(error) })),
  )
}
