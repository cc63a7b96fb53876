import type { Timing } from '../timing.ts'

export interface GroupOptions<T> {
  /** Takes out of the queue what leaves together; at least one item. */
  take(queue: T[]): T[]
  /** Resolves when these have left. It must not reject. */
  send(items: T[]): Promise<void>
  /** True if this item waits for others now. */
  waits(item: T): boolean
  /** With so many in the queue there is no more to wait for. */
  maxCount: number
  /** No item waits longer than this for others. */
  gatherMs: number
  timing: Timing
}

export interface Group<T> {
  push(item: T): void
  /** Puts items that did not leave at the head of the queue. */
  putBack(items: readonly T[]): void
  /** Call it when items have nothing to wait for any more. */
  wake(): void
  count(): number
  /** Resolves when the queue is empty and its last items have left. */
  empty(): Promise<void>
}

/** The group commit of databases: an item leaves at once when nothing is under way, and together with others when something is. */
export function makeGroup<T>({ take, send, waits, maxCount, gatherMs, timing }: GroupOptions<T>): Group<T> {
  const queue: T[] = []
  let running: Promise<void> | null = null
  let wake = (): void => undefined

  async function gather(): Promise<void> {
    const [first] = queue
    if (first === undefined || !waits(first) || queue.length >= maxCount) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    await Promise.race([promise, timing.sleep(gatherMs)])
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await gather()
      await send(take(queue))
    }
    running = null
  }

  function start(): void {
    running ??= drain()
    if (queue.length >= maxCount) wake()
  }

  return {
    push(item) {
      queue.push(item)
      start()
    },
    putBack(items) {
      queue.unshift(...items)
      start()
    },
    wake: () => wake(),
    count: () => queue.length,
    empty: async () => void (await running),
  }
}
