import { ConnectionError, ProblemError } from './problem.ts'

/** How often and how long a call that changes nothing, or repeats itself, is made again. */
export interface Retrier {
  /** Tries in a row without news. */
  readonly tries: number
  /** Waits; rejects at once when the run is called off. */
  sleep(ms: number): Promise<void>
  /** Makes a harmless call until it is answered for good. Throws its last error. */
  retry<Value>(call: () => Promise<Value>): Promise<Value>
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
const LONGEST_ASKED_MS = 90_000

/**
 * Milliseconds to wait before try `failures + 1`: 250, 500, 1000 … up to 10 s, some of it by chance so that many clients do not
 * come back as one. What the service asks for is kept, up to 90 s.
 */
export function backoffMs(failures: number, askedSeconds: number | undefined, random: number): number {
  const own = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10))
  const asked = Math.min(LONGEST_ASKED_MS, (askedSeconds ?? 0) * 1_000)
  return Math.max(asked, own * (0.75 + random / 2))
}

/** Seconds to wait as the error asks, if calling again can help; null when it cannot. */
export function retryHint(error: unknown): { askedSeconds: number | undefined } | null {
  if (error instanceof ConnectionError) return { askedSeconds: undefined }
  if (!(error instanceof ProblemError)) return null
  const { status, nextAction, retryAfterSeconds } = error.problem
  const passing =
    nextAction === undefined ? status === 408 || status === 429 || status >= 500 : nextAction === 'wait_and_retry'
  return passing ? { askedSeconds: retryAfterSeconds } : null
}

/** Waits; an app may end a wait sooner (the connection is back, say). It clears up after itself when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

const clockSleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    const stop = (): void => clearTimeout(timer)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

export function makeRetrier(tries: number, signal?: AbortSignal, wait: Sleep = clockSleep): Retrier {
  const sleep = async (ms: number): Promise<void> => {
    signal?.throwIfAborted()
    await unlessAborted(wait(ms, signal), signal)
  }
  return {
    tries,
    sleep,
    retry: async (call) => {
      for (let failures = 1; ; failures += 1) {
        try {
          return await call()
        } catch (error) {
          const passing = retryHint(error)
          if (passing === null || failures >= tries) throw error
          await sleep(backoffMs(failures, passing.askedSeconds, Math.random()))
        }
      }
    },
  }
}

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

/** For calls that are made once; a person tries again, or not. */
export const once: Retrier = makeRetrier(1)
