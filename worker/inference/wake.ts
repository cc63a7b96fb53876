import type { RequestDeps } from '../context.ts'
import type { WakeUp } from '../wake-ups/waker.ts'

/** Has a worker look at this after `at`, where wake-ups are sent. It takes no time, and a failure is left to the scheduled job. */
export function wakeAt({ waker, waitUntil }: RequestDeps, wakeUp: WakeUp, at: Date): void {
  if (waker !== undefined) waitUntil(waker.wake(wakeUp, at))
}
