import { CoinslotError } from './problem.ts'
import type { RunEvent } from './purchase/events.ts'
import type { Result } from './types.ts'

/** A purchase under way: its events as they come, or just its result. Nothing happens before one of the two is asked for. */
export interface Run extends AsyncIterable<RunEvent, void, undefined> {
  /** The result; goes through what is left of the events. May be called again. */
  result(): Promise<Result>
}

/** A run over the events of a purchase, which are told once. */
export function makeRun(events: AsyncGenerator<RunEvent, void, undefined>): Run {
  let result: Result | undefined
  let ending: Promise<Result> | undefined

  async function* watched(): AsyncGenerator<RunEvent, void, undefined> {
    for await (const event of events) {
      if (event.event === 'result') result = event.result
      yield event
    }
  }
  const told = watched()

  async function rest(): Promise<Result> {
    for await (const _ of told);
    if (result === undefined) throw new CoinslotError('the run was left before its end')
    return result
  }

  return {
    [Symbol.asyncIterator]: () => told,
    result: () => {
      ending ??= rest()
      return ending
    },
  }
}
