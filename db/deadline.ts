/**
 * Runs `work` with a signal that fires after `ms`, and stops waiting then, also when `work` does not heed the signal. Rejects with
 * the error of `late` at that moment. The timer ends with the work: `AbortSignal.timeout` would keep one for each call.
 */
export function withinMs<T>(ms: number, work: (signal: AbortSignal) => Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const working = work(controller.signal)
    const timer = setTimeout(() => {
      reject(late())
      controller.abort()
    }, ms)
    working.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
