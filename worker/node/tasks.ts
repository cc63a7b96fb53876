/** Work that continues after its answer was sent or its caller left: what `waitUntil` receives on Workers. */
export interface Tasks {
  /** Counts a promise. Its maker handles its failure. */
  waitUntil(promise: Promise<unknown>): void
  count(): number
  /** Resolves when nothing is left, what those promises added meanwhile included. */
  idle(): Promise<void>
}

export function makeTasks(): Tasks {
  const open = new Set<Promise<unknown>>()
  return {
    waitUntil(promise) {
      const task = promise.catch(() => undefined).finally(() => open.delete(task))
      open.add(task)
    },
    count: () => open.size,
    async idle() {
      while (open.size > 0) await Promise.all(open)
    },
  }
}
