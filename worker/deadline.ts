/** A promise that did not settle in time. The work behind it may still go on. */
export class DeadlineExceeded extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
    this.name = 'DeadlineExceeded'
  }
}

/** The promise's own outcome, or `DeadlineExceeded` after `ms`. */
export async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlineExceeded(ms)), ms)
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
  }
}
