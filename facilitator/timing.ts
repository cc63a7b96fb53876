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

/** Runs the tasks of each name one after the other, also after a failure. */
export function makeTurnsOf(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work)
    last.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }
}
