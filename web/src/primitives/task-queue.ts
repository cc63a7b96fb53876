let waiting: (() => void)[] = []
let isTaking = false
/** True until everything of the first page has had its turn. */
let isStarting = true

/**
 * Resolves in a task of its own, so that the browser can paint and answer a touch in between; at once where nobody looks, since
 * timers are slow there.
 */
export function nextTask(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (typeof document !== 'undefined' && document.hidden) resolve()
  else setTimeout(resolve)
  return promise
}

/**
 * Builds a part of the page in its turn. The first page is made in several short tasks, in the order in which its parts ask; what
 * asks during a turn comes before those that were waiting. Once it stands, every part is built at once.
 */
export function enqueue(build: () => void): void {
  if (!isStarting) {
    build()
    return
  }
  waiting.push(build)
  if (!isTaking) void runQueue()
}

async function runQueue(): Promise<void> {
  isTaking = true
  await nextTask()
  for (let build = waiting.shift(); build !== undefined; build = waiting.shift()) {
    const later = waiting
    waiting = []
    try {
      build()
    } catch (error) {
      // One part that cannot be built does not keep the others away, nor those of the pages to come.
      reportError(error)
    }
    waiting.push(...later)
    await nextTask()
  }
  isStarting = false
}
