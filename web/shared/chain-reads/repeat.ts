import { onCleanup } from 'solid-js'

/** Pauses between two runs, milliseconds: while the page is visible, and while it is hidden. */
interface Pauses {
  visibleMs: number
  hiddenMs: number
}

/**
 * Runs `work` at once, after each pause, when the page is shown again, and when the returned function is called, which resolves at the
 * end of that run. Runs do not overlap: those asked for during one are a single run after it. `work` must not reject.
 */
export function repeat(work: () => Promise<void>, { visibleMs, hiddenMs }: Pauses): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Promise.resolve()
  let waiting: Promise<void> | null = null
  const workOnce = async (): Promise<void> => {
    waiting = null
    clearTimeout(timer)
    await work()
    clearTimeout(timer)
    timer = setTimeout(run, document.hidden ? hiddenMs : visibleMs)
  }
  const run = (): Promise<void> => {
    waiting ??= last = last.then(workOnce)
    return waiting
  }
  const onShown = (): void => {
    if (!document.hidden) void run()
  }
  void run()
  document.addEventListener('visibilitychange', onShown)
  onCleanup(() => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onShown)
  })
  return run
}
