import type { StackFlags } from './flags.ts'
import type { StackEvent } from './parts.ts'
import type { ReadyFacts } from './stack-info.ts'

export interface StackOptions extends Partial<Omit<StackFlags, 'json' | 'quiet'>> {
  /** Variables that replace parts or reach the worker; default: none. `npm start` gives its own environment. */
  shell?: NodeJS.ProcessEnv
  /** The first port tried when `port` is not given; default 8787. */
  firstPort?: number
  /** Whether the site is built and served; default true. */
  site?: boolean
  onEvent?(event: StackEvent): void
  /** The worker came back as another process. */
  onWorkerPid?(facts: ReadyFacts): void
}
