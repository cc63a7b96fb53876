import type { StackFlags } from './flags.ts'
import type { StackEvent } from './service-process.ts'
import type { StackInfo } from './stack-info.ts'

export interface Printer {
  event(event: StackEvent): void
  ready(info: StackInfo): void
  line(text: string): void
}

/** How often the start says what it still waits for. */
const WAITING_EVERY_MS = 3_000
/** A build is shown only when it took longer. */
const SHOWN_FROM_MS = 500

/** Prints the start and what happens later on stderr; stdout is for `--json`. With `--quiet` it prints problems only. */
export function createPrinter({ quiet, watch }: Pick<StackFlags, 'quiet' | 'watch'>): Printer {
  const began = performance.now()
  const write = (text: string): void => {
    process.stderr.write(`${text}\n`)
  }
  const unlessQuiet = quiet ? () => undefined : write
  const colour = (code: number, text: string): string => (process.stderr.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text)
  const pending = new Set<string>()
  const waiting = setInterval(() => {
    if (pending.size > 0)
      unlessQuiet(`… waiting for ${[...pending].join(', ')} (${seconds(performance.now() - began)})`)
  }, WAITING_EVERY_MS).unref()

  const event = (happened: StackEvent): void => {
    switch (happened.kind) {
      case 'starting':
        pending.add(happened.service)
        break
      case 'ready':
        pending.delete(happened.service)
        if (happened.url === null && happened.ms < SHOWN_FROM_MS) break
        unlessQuiet(
          `${colour(32, '✓')} ${happened.service.padEnd(12)} ${seconds(happened.ms)}  ${colour(2, happened.url ?? 'built')}`,
        )
        break
      case 'died':
        write(`${colour(31, '✗')} ${happened.service} died (${happened.how}); starting it again`)
        break
      case 'back':
        write(`${colour(32, '✓')} ${happened.service} runs again`)
        break
      case 'warning':
        write(`${colour(33, '!')} ${happened.text}`)
        break
      case 'line':
        unlessQuiet(`${colour(2, '·')} ${happened.text}`)
    }
  }
  const ready = (info: StackInfo): void => {
    clearInterval(waiting)
    unlessQuiet(`\n  ${colour(1, info.origin)}   ready in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    if (info.contracts['presale'] !== undefined) {
      unlessQuiet(`  ${info.origin}/presale/ sells AIC, ${info.origin}/dashboard/ monitors the sale`)
    }
    unlessQuiet(`  ${info.buyers.length} buyers with 1,000 USDC each on ${info.network}; logs in ${info.logDir}`)
    if (watch) unlessQuiet('  The worker and the site reload at each save.')
    unlessQuiet('  Ctrl-C ends everything. `npm run demo` in another terminal buys something.\n')
  }
  return { event, ready, line: unlessQuiet }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
