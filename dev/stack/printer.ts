import type { StackEvent } from './parts.ts'
import type { ReadyFacts } from './stack-info.ts'

export interface Printer {
  event(event: StackEvent): void
  ready(facts: ReadyFacts): void
  line(text: string): void
}

/** Writes what happens for people to read, on stderr: stdout is kept for `--json`. Problems are shown even when quiet. */
export function createPrinter(quiet: boolean): Printer {
  const began = performance.now()
  const write = (text: string): void => {
    process.stderr.write(`${text}\n`)
  }
  const chatter = quiet ? () => undefined : write
  const paint = (code: number, text: string): string => (process.stderr.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text)
  const event = (happened: StackEvent): void => {
    switch (happened.kind) {
      case 'ready':
        chatter(`${paint(32, '✓')} ${happened.part.padEnd(12)} ${seconds(happened.ms)}  ${paint(2, happened.url)}`)
        break
      case 'died':
        write(`${paint(31, '✗')} ${happened.part} died (${happened.how}); starting it again`)
        break
      case 'back':
        write(`${paint(32, '✓')} ${happened.part} is back`)
        break
      case 'warning':
        write(`${paint(33, '!')} ${happened.text}`)
    }
  }
  const ready = (facts: ReadyFacts): void => {
    const took = ((performance.now() - began) / 1_000).toFixed(1)
    chatter(`\n  ${paint(1, facts.origin)}   ready in ${took} s`)
    chatter(`  ${facts.buyers.length} buyers with 1,000 USDC each on ${facts.network}; logs in ${facts.logDir}`)
    chatter('  Ctrl-C ends everything. `npm run demo` in another terminal buys something.\n')
  }
  return { event, ready, line: chatter }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
