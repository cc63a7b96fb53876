import { AsyncLocalStorage } from 'node:async_hooks'
import { stillness } from '../helpers/virtual-time.ts'
import type { Clock, Trace } from './clock.ts'
import { isDeath } from './faults.ts'

/** A worker's call to a service, on its way. Nothing happens until it is released. */
interface PendingCall {
  owner: number
  op: string
  release(): void
  /** The process dies now. The service may still receive the call; the answer is lost. */
  drop(reached: boolean): void
}

/** How a service handles one call and its fault. It may wait in virtual time, and it may throw. */
type Perform<T, K> = (fault: K | null) => Promise<T>

const callers = new AsyncLocalStorage<number>()

/** Runs `work` as this caller: every service call it causes carries the caller's number. */
export const asCaller = <T>(caller: number | undefined, work: () => T): T =>
  caller === undefined ? work() : callers.run(caller, work)

export const callerNow = (): number | undefined => callers.getStore()

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** The faults that the next calls of each kind will have. */
export function makeArmedFaults<O extends string, K extends string>({ hit }: Trace) {
  const armed = new Map<O, K[]>()
  return {
    arm: (op: O, kind: K): void => void armed.set(op, [...(armed.get(op) ?? []), kind]),
    disarm: (): void => armed.clear(),
    take(op: O): K | null {
      const kind = armed.get(op)?.shift() ?? null
      if (kind !== null) hit(`${op}: ${kind}`)
      return kind
    },
  }
}

/** The processes that have ended, and the calls of the others that wait to be released. */
export function makePendingCalls(clock: Clock, trace: Trace) {
  const pending: PendingCall[] = []
  const dead = new Set<number>()
  /** Counts released calls, since many of them happen at the same virtual time. */
  let moment = 0

  /** Ends a process and returns the calls it had on their way. */
  function end(owner: number): PendingCall[] {
    dead.add(owner)
    clock.removeTimers(owner)
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

  return {
    add: (call: PendingCall): void => void pending.push(call),
    isDead: (owner: number): boolean => dead.has(owner),
    end,
    releaseOne,
    async releaseAll(): Promise<void> {
      await stillness()
      while (await releaseOne(0));
    },
    /** The number of calls released so far. */
    moment: (): number => moment,
    /** Ends a process at once. The bits of `reached` say which of its calls still arrive. */
    async kill(owner: number, reached: number): Promise<void> {
      for (const [index, waiting] of end(owner).entries()) {
        waiting.drop(((reached >> (index % 8)) & 1) === 1)
        trace.hit(`process: killed at ${waiting.op}`)
        await stillness()
      }
    },
  }
}

/** Makes the function with which workers call the services. `onDeath` receives each process that a fault ends. */
export function makeServiceCall<O extends string, K extends string>(
  calls: ReturnType<typeof makePendingCalls>,
  { note }: Trace,
  take: (op: O) => K | null,
  onDeath: (owner: number) => void,
) {
  return function call<T>(owner: number, op: O, perform: Perform<T, K>): Promise<T> {
    if (calls.isDead(owner)) return never()
    const caller = callerNow()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const alive = (): boolean => !calls.isDead(owner)
    const performUnseen = (): void => void asCaller(caller, () => perform(null)).catch(() => undefined)
    calls.add({
      owner,
      op,
      release() {
        const fault = take(op)
        note(`worker ${owner}: ${op}${fault === null ? '' : ` — ${fault}`}`)
        if (isDeath(fault)) {
          if (fault === 'worker dies as it arrives') performUnseen()
          calls.end(owner)
          return onDeath(owner)
        }
        asCaller(caller, () => perform(fault)).then(
          (value) => alive() && resolve(value),
          (error: unknown) => alive() && reject(error),
        )
      },
      drop(reached) {
        note(`worker ${owner}: ${op} — died on the way${reached ? ', the call arrived' : ''}`)
        if (reached) performUnseen()
      },
    })
    return promise
  }
}
