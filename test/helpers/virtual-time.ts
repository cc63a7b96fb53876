import { makeFakeClock } from './fakes/ports.ts'

/**
 * Time that passes only while nothing else happens: timers of `sleep` fire one after the other, each when all work it set off
 * before has come to rest. So a wait of 55 s costs nothing and still loses every race it should lose.
 */
export interface VirtualTime {
  now(): Date
  sleep(ms: number): Promise<void>
  /** Counts work that does not wait for a timer (a database call), so that time stands still meanwhile. */
  busy<T>(work: Promise<T>): Promise<T>
  /** Lets time pass until `work` has ended. Throws when it never can. */
  run<T>(work: Promise<T>): Promise<T>
  /** Lets `ms` pass, firing timers on the way. */
  advance(ms: number): Promise<void>
  /** Resolves when nothing moves any more without time passing. */
  still(): Promise<void>
  /** Lets time pass until no timer is left, at most `ms`. */
  drain(ms: number): Promise<void>
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
/** Turns of the event loop without any activity before work counts as resting. */
const QUIET_TURNS = 3

/** Work of this process that is neither a timer nor a microtask: it must be waited for, not passed over. */
const activity = { running: 0, count: 0 }

export function trackActivity<T>(work: Promise<T>): Promise<T> {
  activity.running += 1
  activity.count += 1
  const end = (): void => {
    activity.running -= 1
    activity.count += 1
  }
  work.then(end, end)
  return work
}

/** WebCrypto works on other threads; sessions, signatures of quotes and hashes all wait for it. */
function trackCrypto(): void {
  const { subtle } = globalThis.crypto
  for (const name of [
    'sign',
    'verify',
    'digest',
    'importKey',
    'deriveKey',
    'deriveBits',
    'encrypt',
    'decrypt',
  ] as const) {
    const original: (...args: never[]) => Promise<unknown> = subtle[name]
    Object.defineProperty(subtle, name, {
      configurable: true,
      value: (...args: never[]) => trackActivity(original.apply(subtle, args)),
    })
  }
}
trackCrypto()

/** Resolves when no work of this process moves any more without time passing. */
export async function stillness(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; ) {
    const before = activity.count
    await nextTurn()
    quiet = activity.running === 0 && activity.count === before ? quiet + 1 : 0
  }
}

interface Timer {
  at: number
  fire(): void
}

export function makeVirtualTime(clock: ReturnType<typeof makeFakeClock> = makeFakeClock()): VirtualTime {
  const timers: Timer[] = []

  /** Fires the earliest timer not later than `limit`; false when there is none. */
  function fireNext(limit: number): boolean {
    const next = timers.reduce<Timer | undefined>((a, b) => (a === undefined || b.at < a.at ? b : a), undefined)
    if (next === undefined || next.at > limit) return false
    timers.splice(timers.indexOf(next), 1)
    if (next.at > clock.now().getTime()) clock.set(new Date(next.at))
    next.fire()
    return true
  }

  async function passUntil(limit: number): Promise<void> {
    await stillness()
    while (fireNext(limit)) await stillness()
  }

  const waiting = new Set<Promise<unknown>>()
  const giveUp = new WeakMap<Promise<unknown>, () => void>()
  let isPumping = false

  /** One for all callers of `run`, so that two of them never fire a timer each at once. */
  async function pump(): Promise<void> {
    isPumping = true
    for (await stillness(); waiting.size > 0; await stillness()) {
      if (fireNext(Infinity)) continue
      for (const work of waiting) giveUp.get(work)?.()
      waiting.clear()
    }
    isPumping = false
  }

  return {
    now: clock.now,
    sleep: (ms) =>
      new Promise((resolve) => {
        timers.push({ at: clock.now().getTime() + Math.max(0, ms), fire: resolve })
      }),
    busy: trackActivity,
    still: stillness,
    run(work) {
      waiting.add(work)
      const end = (): void => void waiting.delete(work)
      work.then(end, end)
      const stuck = new Promise<never>((_, reject) => {
        giveUp.set(work, () => reject(new Error('nothing is left to wait for, and the work has not ended')))
      })
      if (!isPumping) void pump()
      return Promise.race([work, stuck])
    },
    async advance(ms) {
      const limit = clock.now().getTime() + ms
      await passUntil(limit)
      clock.set(new Date(limit))
    },
    drain: (ms) => passUntil(clock.now().getTime() + ms),
  }
}
