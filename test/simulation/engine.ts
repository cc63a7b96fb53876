import { AsyncLocalStorage } from 'node:async_hooks'
import { stillness } from '../helpers/virtual-time.ts'
import { type FaultKind, isDeath, type Op } from './faults.ts'

/** A worker's call to a service, on its way. Nothing happens until it is released. */
interface PendingCall {
  owner: number
  op: string
  release(): void
  /** The process dies now. The service may still receive the call; the answer is lost. */
  drop(reached: boolean): void
}

/** What a service does with one call and its fault. It may wait in virtual time, and it may throw. */
type Perform<T, K> = (fault: K | null) => Promise<T>

interface Timer {
  at: number
  /** A process, or null for a timer of the services. */
  owner: number | null
  fire(): void
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/**
 * Virtual time, and the order of events. Every service call waits until the schedule releases it, so a schedule fixes every
 * interleaving. Timers fire only while no call waits. A killed process receives nothing more.
 */
export function makeEngine<O extends string = Op, K extends string = FaultKind>(
  start: Date,
  onDeath: (owner: number) => void,
) {
  let nowMs = start.getTime()
  let timers: Timer[] = []
  const pending: PendingCall[] = []
  const dead = new Set<number>()
  const armed = new Map<O, K[]>()
  const hits = new Map<string, number>()
  const trace: string[] = []
  /** Counts released calls, since many of them happen at the same virtual time. */
  let moment = 0
  const callers = new AsyncLocalStorage<number>()

  const note = (line: string): void => {
    trace.push(`${((nowMs - start.getTime()) / 1000).toFixed(1).padStart(9)} s  ${line}`)
  }
  const hit = (name: string): void => void hits.set(name, (hits.get(name) ?? 0) + 1)

  function take(op: O): K | null {
    const kind = armed.get(op)?.shift() ?? null
    if (kind !== null) hit(`${op}: ${kind}`)
    return kind
  }

  const wait = (ms: number, owner: number | null = null): Promise<void> =>
    new Promise((resolve) => {
      timers.push({ at: nowMs + Math.max(0, ms), owner, fire: resolve })
    })

  function call<T>(owner: number, op: O, perform: Perform<T, K>): Promise<T> {
    if (dead.has(owner)) return never()
    const caller = callers.getStore()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const alive = (): boolean => !dead.has(owner)
    pending.push({
      owner,
      op,
      release() {
        const fault = take(op)
        note(`worker ${owner}: ${op}${fault === null ? '' : ` — ${fault}`}`)
        if (isDeath(fault)) {
          if (fault === 'worker dies as it arrives') withCaller(caller, () => perform(null)).catch(() => undefined)
          end(owner)
          return onDeath(owner)
        }
        withCaller(caller, () => perform(fault)).then(
          (value) => alive() && resolve(value),
          (error: unknown) => alive() && reject(error),
        )
      },
      drop(reached) {
        note(`worker ${owner}: ${op} — died on the way${reached ? ', the call arrived' : ''}`)
        if (reached) withCaller(caller, () => perform(null)).catch(() => undefined)
      },
    })
    return promise
  }

  /** Ends a process and returns the calls it had on their way. */
  function end(owner: number): PendingCall[] {
    dead.add(owner)
    timers = timers.filter((timer) => timer.owner !== owner)
    const lost = pending.filter((waiting) => waiting.owner === owner)
    for (const waiting of lost) pending.splice(pending.indexOf(waiting), 1)
    return lost
  }

  /** Releases one waiting call; `pick` chooses which. False when no call waits. */
  async function releaseOne(pick: number): Promise<boolean> {
    const [next] = pending.splice(pick % Math.max(1, pending.length), 1)
    if (next === undefined) return false
    moment += 1
    next.release()
    await stillness()
    return true
  }

  async function releaseAll(): Promise<void> {
    await stillness()
    while (await releaseOne(0));
  }

  const withCaller = <T>(caller: number | undefined, work: () => T): T =>
    caller === undefined ? work() : callers.run(caller, work)

  function fireNext(limit: number): boolean {
    const next = timers.reduce<Timer | undefined>((a, b) => (a === undefined || b.at < a.at ? b : a), undefined)
    if (next === undefined || next.at > limit) return false
    timers.splice(timers.indexOf(next), 1)
    nowMs = Math.max(nowMs, next.at)
    next.fire()
    return true
  }

  async function advanceTo(limit: number): Promise<void> {
    await releaseAll()
    while (fireNext(limit)) await releaseAll()
    nowMs = Math.max(nowMs, limit)
  }

  /** Advances time until `work` has ended; false when it has not ended after an hour. */
  async function finish(work: Promise<unknown>): Promise<boolean> {
    let ended = false
    const end = (): void => {
      ended = true
    }
    work.then(end, end)
    const limit = nowMs + 3_600_000
    for (await releaseAll(); !ended && fireNext(limit); await releaseAll());
    return ended
  }

  return {
    finish,
    now: (): Date => new Date(nowMs),
    /** The number of calls released so far. */
    moment: (): number => moment,
    /** Runs `work` as this caller: every service call it causes carries the caller's number. */
    asCaller: withCaller,
    callerNow: (): number | undefined => callers.getStore(),
    note,
    hit,
    take,
    wait,
    call,
    releaseOne,
    releaseAll,
    advance: (ms: number): Promise<void> => advanceTo(nowMs + ms),
    arm: (op: O, kind: K): void => void armed.set(op, [...(armed.get(op) ?? []), kind]),
    disarm: (): void => armed.clear(),
    /** Ends a process at once. The bits of `reached` say which of its calls still arrive. */
    async kill(owner: number, reached: number): Promise<void> {
      for (const [index, waiting] of end(owner).entries()) {
        waiting.drop(((reached >> (index % 8)) & 1) === 1)
        hit(`process: killed at ${waiting.op}`)
        await stillness()
      }
    },
    hits,
    trace,
  }
}

export type Engine<O extends string = Op, K extends string = FaultKind> = ReturnType<typeof makeEngine<O, K>>
