/** One line of the table. Values are texts with their units; `met` is null where nothing was measured or no goal is set. */
export interface Figure {
  figure: string
  ours: string
  baseline?: string
  ratio?: string
  goal: string
  met: boolean | null
}

export interface BenchmarkResult {
  figures: Figure[]
  /** Markdown that stands under the table: how it was measured, where the time goes. */
  notes: string[]
}

export interface BenchContext {
  /** Seconds instead of minutes: to see that it works, not how fast it is. */
  quick: boolean
  /** How long the load on memory lasts; undefined for its default. */
  minutes: number | undefined
  /** A folder that is removed at the end. */
  dir: string
  /** One line of progress. */
  say(text: string): void
  /** Runs at the end of this benchmark, last one first, whatever happened. */
  defer(cleanup: () => Promise<void> | void): void
}

export interface Benchmark {
  /** Its name in `npm run bench -- NAME`. */
  name: string
  title: string
  run(context: BenchContext): Promise<BenchmarkResult>
}
