import { AsyncLocalStorage } from 'node:async_hooks'
import { stillness } from '../helpers/virtual-time.ts'
import { type FaultKind, isDeath, type Op } from './faults.ts'

/** A call of a worker process to a peer, on its way: nothing happens until it is released. */
interface PendingCall {
  owner: number
  op: Op
  release(): void
  /** The process dies now. The peer may have got the call all the same; nobody hears the answer. */
  drop(reached: boolean): void
}

/** What a peer does with one call, with the fault it was dealt; may wait in virtual time and may throw. */
type Perform<T> = (fault: FaultKind | null) => Promise<T>

interface Timer {
  at: number
  /** A process, or null for the world's own. */
  owner: number | null
  fire(): void
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/**
 * Time and order of a virtual world. Every peer call waits at a gate until the schedule lets it pass, so that a schedule fixes
 * every interleaving; timers fire only while no call waits; a killed process hears of nothing any more.
 */
export function makeEngine(start: Date, onDeath: (owner: number) => void) {
  let nowMs = start.getTime()
  let timers: Timer[] = []
  const pending: PendingCall[] = []
  const dead = new Set<number>()
  const armed = new Map<Op, FaultKind[]>()
  const hits = new Map<string, number>()
  const trace: string[] = []
  /** Counts what happened, since much happens at the same moment. */
  let moment = 0
  const callers = new AsyncLocalStorage<number>()

  const note = (line: string): void => {
    trace.push(`${((nowMs - start.getTime()) / 1000).toFixed(1).padStart(9)} s  ${line}`)
  }
  const hit = (op: string, kind: string): void => {
    hits.set(`${op}: ${kind}`, (hits.get(`${op}: ${kind}`) ?? 0) + 1)
  }

  function take(op: Op): FaultKind | null {
    const kind = armed.get(op)?.shift() ?? null
    if (kind !== null) hit(op, kind)
    return kind
  }

  const wait = (ms: number, owner: number | null = null): Promise<void> =>
    new Promise((resolve) => {
      timers.push({ at: nowMs + Math.max(0, ms), owner, fire: resolve })
    })

  function call<T>(owner: number, op: Op, perform: Perform<T>): Promise<T> {
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

  /** A process hears of nothing any more; gives the calls it had on their way. */
  function end(owner: number): PendingCall[] {
    dead.add(owner)
    timers = timers.filter((timer) => timer.owner !== owner)
    const lost = pending.filter((waiting) => waiting.owner === owner)
    for (const waiting of lost) pending.splice(pending.indexOf(waiting), 1)
    return lost
  }

  /** Lets one waiting call pass; `pick` chooses among them. False when none waits. */
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

  /** Lets time pass until `work` has ended; false when an hour was not enough. */
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
    /** What happened so far, as a number that grows. */
    moment: (): number => moment,
    /** Everything `work` sets off is this caller's doing. */
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
    arm: (op: Op, kind: FaultKind): void => void armed.set(op, [...(armed.get(op) ?? []), kind]),
    disarm: (): void => armed.clear(),
    /** Ends a process at once. Calls on their way arrive or not, by the bits of `reached`. */
    async kill(owner: number, reached: number): Promise<void> {
      for (const [index, waiting] of end(owner).entries()) {
        waiting.drop(((reached >> (index % 8)) & 1) === 1)
        hit('process', `killed at ${waiting.op}`)
        await stillness()
      }
    },
    hits,
    trace,
  }
}

export type Engine = ReturnType<typeof makeEngine>
