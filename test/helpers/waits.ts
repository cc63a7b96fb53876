/** Counts the calls of a request that wait for one another: calls that run side by side are one wait. */
export function makeWaits() {
  const calls: { name: string; level: number }[] = []
  /** The longest row of calls that have ended. */
  let ended = 0

  async function call<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const level = ended + 1
    calls.push({ name, level })
    try {
      return await work()
    } finally {
      ended = Math.max(ended, level)
    }
  }

  return {
    call,
    /** Watches these methods of a port. */
    watch<Port extends object>(port: Port, names: readonly (keyof Port & string)[]): void {
      for (const name of names) {
        const original = port[name]
        if (typeof original !== 'function') throw new Error(`${name} is no function`)
        Object.assign(port, { [name]: (...args: unknown[]) => call(name, () => original.apply(port, args)) })
      }
    },
    /** Every call since the last `forget`, in order. */
    calls: (): string[] => calls.map(({ name }) => name),
    /** The waits in a row: the calls of each, joined by `and`. */
    inARow: (): string[] =>
      Array.from({ length: Math.max(0, ...calls.map(({ level }) => level)) }, (_, index) =>
        calls
          .filter(({ level }) => level === index + 1)
          .map(({ name }) => name)
          .join(' and '),
      ),
    forget(): void {
      calls.length = 0
      ended = 0
    },
  }
}
