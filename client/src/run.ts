import { CoinslotError } from './problem.ts'
import type { RunEvent } from './purchase/events.ts'
import type { Result } from './types.ts'

/** A running purchase: its events, or just its result. It starts when one of the two is read. */
export interface Run extends AsyncIterable<RunEvent, void, undefined> {
  /** The result. Skips the remaining events. May be called again. */
  result(): Promise<Result>
}

/** A run over the events of a purchase. The events can be read once. */
export function makeRun(events: AsyncGenerator<RunEvent, void, undefined>): Run {
  let result: Result | undefined
  let ending: Promise<Result> | undefined

  async function* watched(): AsyncGenerator<RunEvent, void, undefined> {
    for await (const event of events) {
      if (event.event === 'result') result = event.result
      yield event
    }
  }
  const iterator = watched()

  async function rest(): Promise<Result> {
    for await (const _ of iterator);
    if (result === undefined) throw new CoinslotError('the events were abandoned before the result')
    return result
  }

  return {
    [Symbol.asyncIterator]: () => iterator,
    result: () => {
      ending ??= rest()
      return ending
    },
  }
}
