import { ConnectionError, ProblemError } from './problem.ts'

/** How often, and after which waits, a harmless call is repeated. */
export interface Retrier {
  /** Failed tries in a row after which it stops. */
  readonly tries: number
  /** Waits. Rejects immediately when the signal is aborted. */
  sleep(ms: number): Promise<void>
  /** Repeats a harmless call until it succeeds or cannot. Throws its last error. */
  retry<Value>(call: () => Promise<Value>): Promise<Value>
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
/** The longest wait that the service may ask for. */
export const LONGEST_ASKED_MS = 90_000

/**
 * Milliseconds to wait before try `failures + 1`: 250, 500, 1000 … up to 10 s, with jitter. A longer wait that the service asks for
 * is used, up to 90 s.
 */
export function backoffMs(failures: number, askedSeconds: number | undefined, random: number): number {
  const own = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10))
  const asked = Math.min(LONGEST_ASKED_MS, (askedSeconds ?? 0) * 1_000)
  return Math.max(asked, own * (0.75 + random / 2))
}

/** The wait that an error asks for, if another try can help; else null. */
export function retryHint(error: unknown): { askedSeconds: number | undefined } | null {
  if (error instanceof ConnectionError) return { askedSeconds: undefined }
  if (!(error instanceof ProblemError)) return null
  const { status, nextAction, retryAfterSeconds } = error.problem
  const passing =
    nextAction === undefined ? status === 408 || status === 429 || status >= 500 : nextAction === 'wait_and_retry'
  return passing ? { askedSeconds: retryAfterSeconds } : null
}

/** Waits. An app may end a wait early, e.g. when it is online again. Must release its timer when the signal is aborted. */
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

/** The outcome of `coming`. Rejects with the signal's reason as soon as it is aborted; a later outcome is ignored. */
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

/** Makes a call once. */
export const once: Retrier = makeRetrier(1)
