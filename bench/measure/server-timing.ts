import { percentile } from './stats.ts'

/** Milliseconds of one call by their name in its `Server-Timing`. */
export function parseServerTiming(header: string): ReadonlyMap<string, number> {
  const entries = header.matchAll(/([a-z]+);dur=(\d+(?:\.\d+)?)/g)
  return new Map([...entries].map(([, name = '', ms = '']): [string, number] => [name, Number(ms)]))
}

/** Upstreams that own time leaves out: settlement by the facilitator, reads of the chain, the model's run. */
const OTHERS = ['facilitator', 'chain', 'provider'] as const

/**
 * The whole call without settlement, chain and model, in ms. Spans that overlap are subtracted twice, so what is left is at least
 * the time of the database and the store, which never run beside the model.
 */
export function ownMs(timing: ReadonlyMap<string, number>): number {
  const others = OTHERS.reduce((sum, name) => sum + (timing.get(name) ?? 0), 0)
  return Math.max(0, (timing.get('app') ?? 0) - others)
}

/** The parts of a purchase that a table shows, each with its value for one call. */
const STEPS: readonly (readonly [step: string, of: (timing: ReadonlyMap<string, number>) => number])[] = [
  ['own time: the call without the next three', ownMs],
  ['facilitator: verification and settlement', (timing) => timing.get('facilitator') ?? 0],
  ['chain: reads of the worker', (timing) => timing.get('chain') ?? 0],
  ['provider: the run', (timing) => timing.get('provider') ?? 0],
  ['database', (timing) => timing.get('db') ?? 0],
  ['object store', (timing) => timing.get('store') ?? 0],
  ['the whole call', (timing) => timing.get('app') ?? 0],
]

/** A table in Markdown: p50 and p95 of each step, one pair of columns for each way of calling. */
export function stepsTable(ways: ReadonlyMap<string, readonly string[]>): string {
  const parsed = [...ways].map(([name, headers]) => ({ name, timings: headers.map(parseServerTiming) }))
  const heads = parsed.flatMap(({ name }) => [`${name}, p50`, `${name}, p95`])
  const rows = STEPS.map(([step, of]) => {
    const cells = parsed.flatMap(({ timings }) => [50, 95].map((rank) => `${percentile(timings.map(of), rank)} ms`))
    return `| ${[step, ...cells].join(' | ')} |`
  })
  return [`| ${['step', ...heads].join(' | ')} |`, `|${'---|'.repeat(heads.length + 1)}`, ...rows].join('\n')
}
