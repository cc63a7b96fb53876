let waiting: (() => void)[] = []
let isRunning = false
/** True until the whole first page is built. */
let isStarting = true

/**
 * Resolves in the next task, so that the browser can paint and handle input first. In a hidden tab it resolves immediately, because
 * timers are slow there.
 */
export function nextTask(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (typeof document !== 'undefined' && document.hidden) resolve()
  else setTimeout(resolve)
  return promise
}

/**
 * Queues the building of a part. The first page is built in several short tasks, in the order of the calls. A part that is queued
 * by another part comes before the waiting ones. After the first page, every part is built immediately.
 */
export function enqueue(build: () => void): void {
  if (!isStarting) {
    build()
    return
  }
  waiting.push(build)
  if (!isRunning) void runQueue()
}

/** Builds what is queued next in short tasks too: for a page whose contents are known long after its frame. */
export function beginPage(): void {
  isStarting = true
}

async function runQueue(): Promise<void> {
  isRunning = true
  await nextTask()
  for (let build = waiting.shift(); build !== undefined; build = waiting.shift()) {
    const later = waiting
    waiting = []
    try {
      build()
    } catch (error) {
      // One part that fails must not stop the others.
      reportError(error)
    }
    waiting.push(...later)
    await nextTask()
  }
  isRunning = false
  isStarting = false
}
