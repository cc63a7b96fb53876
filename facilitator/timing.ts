/** Time that passes, for waits and deadlines. Dates come from `now()`, which a test may set. */
export interface Timing {
  sleep(ms: number): Promise<void>
  /** Resolves when everything that has arrived by now was read. */
  arrived(): Promise<void>
  /** A clock in milliseconds that never goes back. */
  elapsed(): number
}

export const realTiming: Timing = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  arrived: () => new Promise((resolve) => setImmediate(resolve)),
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

/** Does the work of all items that come at the same moment in one go; `work` returns what became of each, in their order. */
export function makeTogether<I, R>(
  work: (items: I[]) => Promise<R[]>,
  { arrived }: Pick<Timing, 'arrived'> = realTiming,
): (item: I) => Promise<R> {
  let items: I[] = []
  let results: Promise<R[]> | null = null

  async function run(): Promise<R[]> {
    await arrived()
    const leaving = items
    items = []
    results = null
    return work(leaving)
  }

  return async (item) => {
    const index = items.push(item) - 1
    results ??= run()
    const result = (await results)[index]
    if (result === undefined) throw new Error('an item has no result')
    return result
  }
}
