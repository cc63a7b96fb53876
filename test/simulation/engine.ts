import { makeClock, makeTrace } from './clock.ts'
import type { FaultKind, Op } from './faults.ts'
import { asCaller, callerNow, makeArmedFaults, makePendingCalls, makeServiceCall } from './service-calls.ts'

const HOUR_MS = 3_600_000

/**
 * Virtual time, and the order of events. Every service call waits until the schedule releases it, so a schedule fixes every
 * interleaving. Timers fire only while no call waits. A killed process receives nothing more.
 */
export function makeEngine<O extends string = Op, K extends string = FaultKind>(
  start: Date,
  onDeath: (owner: number) => void,
) {
  const clock = makeClock(start)
  const trace = makeTrace(clock)
  const faults = makeArmedFaults<O, K>(trace)
  const calls = makePendingCalls(clock, trace)
  const { now, fireNext } = clock
  const { releaseAll } = calls

  async function advanceTo(limit: number): Promise<void> {
    await releaseAll()
    while (fireNext(limit)) await releaseAll()
    clock.moveTo(limit)
  }

  /** Advances time until `work` has ended; false when it has not ended after an hour. */
  async function finish(work: Promise<unknown>): Promise<boolean> {
    let ended = false
    const end = (): void => {
      ended = true
    }
    work.then(end, end)
    const limit = now().getTime() + HOUR_MS
    for (await releaseAll(); !ended && fireNext(limit); await releaseAll());
    return ended
  }

  return {
    ...faults,
    call: makeServiceCall<O, K>(calls, trace, faults.take, onDeath),
    now,
    wait: clock.wait,
    moment: calls.moment,
    asCaller,
    callerNow,
    releaseOne: calls.releaseOne,
    advance: (ms: number): Promise<void> => advanceTo(now().getTime() + ms),
    finish,
    kill: calls.kill,
    note: trace.note,
    hit: trace.hit,
    hits: trace.hits,
    trace: trace.lines,
  }
}

export type Engine<O extends string = Op, K extends string = FaultKind> = ReturnType<typeof makeEngine<O, K>>
