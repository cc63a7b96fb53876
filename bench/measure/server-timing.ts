import { percentile } from './stats.ts'

/** Milliseconds of one call by their name in its `Server-Timing`; `run` is how long the model ran. */
export type Timing = ReadonlyMap<string, number>

export function parseServerTiming(header: string): Timing {
  const entries = header.matchAll(/([a-z]+);dur=(\d+(?:\.\d+)?)/g)
  return new Map([...entries].map(([, name = '', ms = '']): [string, number] => [name, Number(ms)]))
}

const of =
  (name: string) =>
  (timing: Timing): number =>
    timing.get(name) ?? 0

/** The run, or the calls to the provider where these took longer: most of them are made while the model runs. */
const modelMs = (timing: Timing): number => Math.max(of('provider')(timing), of('run')(timing))

/** The whole call without settlement, chain and model, in ms. What is left is the worker, its database and its waits between polls. */
export const ownMs = (timing: Timing): number =>
  Math.max(0, of('app')(timing) - of('facilitator')(timing) - of('chain')(timing) - modelMs(timing))

/** The parts of a purchase that a table shows, each with its value for one call. */
const STEPS: readonly (readonly [step: string, of: (timing: Timing) => number])[] = [
  ['own time: the call without the next three', ownMs],
  ['facilitator: verification and settlement', of('facilitator')],
  ['chain: reads of the worker', of('chain')],
  ['model: its run', modelMs],
  ['calls to the provider', of('provider')],
  ['database', of('db')],
  ['object store', of('store')],
  ['the whole call', of('app')],
]

/** A table in Markdown: p50 and p95 of each step, one pair of columns for each way of calling. */
export function stepsTable(ways: ReadonlyMap<string, readonly Timing[]>): string {
  const heads = [...ways.keys()].flatMap((name) => [`${name}, p50`, `${name}, p95`])
  const rows = STEPS.map(([step, value]) => {
    const cells = [...ways.values()].flatMap((timings) =>
      [50, 95].map((rank) => `${percentile(timings.map(value), rank)} ms`),
    )
    return `| ${[step, ...cells].join(' | ')} |`
  })
  return [`| ${['step', ...heads].join(' | ')} |`, `|${'---|'.repeat(heads.length + 1)}`, ...rows].join('\n')
}
