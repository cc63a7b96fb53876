/** Time that passes, for waits and deadlines. Dates come from `now()`, which a test may set. */
export interface Timing {
  sleep(ms: number): Promise<void>
  /** A clock in milliseconds that never goes back. */
  elapsed(): number
}

export const realTiming: Timing = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  elapsed: () => performance.now(),
}
