/** The outcome of `coming`, or the signal's reason as soon as it is aborted; what comes after that is thrown away. */
export async function unlessAborted<Value>(coming: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return coming
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([coming, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
