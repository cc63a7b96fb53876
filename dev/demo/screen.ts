const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** What the buyer sees on stderr: one line per stage with its time, and a spinner while something is awaited. */
export interface Screen {
  line(text: string): void
  /** Says what is being waited for, until `done` or `fail`. */
  wait(text: string): void
  /** Ends the waiting with a line that shows how long it took. */
  done(text: string, note?: string): void
  fail(text: string): void
}

export function createScreen(out: NodeJS.WriteStream = process.stderr): Screen {
  const isTerminal = out.isTTY === true
  const paint = (code: number, text: string): string => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text)
  let timer: NodeJS.Timeout | undefined
  let since = performance.now()
  let waitingFor = ''
  let frame = 0

  const clear = (): void => {
    clearInterval(timer)
    timer = undefined
    if (isTerminal) out.write('\r\x1b[K')
  }
  const seconds = (): string => `${((performance.now() - since) / 1_000).toFixed(2)} s`
  const draw = (): void => {
    frame += 1
    out.write(`\r\x1b[K  ${paint(36, FRAMES[frame % FRAMES.length] ?? '')} ${waitingFor} ${paint(2, seconds())}`)
  }
  return {
    line: (text) => {
      clear()
      out.write(`${text}\n`)
    },
    wait: (text) => {
      clear()
      waitingFor = text
      since = performance.now()
      if (isTerminal) timer = setInterval(draw, 80)
    },
    done: (text, note = '') => {
      clear()
      out.write(`  ${paint(32, '✓')} ${text.padEnd(34)} ${seconds().padStart(8)}  ${paint(2, note)}\n`)
      since = performance.now()
    },
    fail: (text) => {
      clear()
      out.write(`  ${paint(31, '✗')} ${text}\n`)
    },
  }
}
