/** The command as the user types it, so that hints can be pasted. npx sets `npm_command` for what it starts. */
export const PROGRAM = process.env['npm_command'] === 'exec' ? 'npx --no coinslot' : 'coinslot'

export const VERSION = '1.0.0'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/** Progress of a command on stderr; stdout is for results only. */
export interface Screen {
  /** A plain line. */
  line(text: string): void
  /** Shows what the command waits for, until `done` or `end`. */
  wait(text: string): void
  /** A finished step, how long it took, and a note beside it. */
  done(text: string, note?: string): void
  /** Removes what `wait` shows. */
  end(): void
}

/** Shows nothing. */
export const silentScreen: Screen = { line: () => {}, wait: () => {}, done: () => {}, end: () => {} }

export function makeScreen(out: NodeJS.WriteStream = process.stderr): Screen {
  const isTerminal = out.isTTY === true
  const paint = (code: number, text: string): string => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text)
  let timer: NodeJS.Timeout | undefined
  let since = performance.now()
  let frame = 0

  const seconds = (): string => `${((performance.now() - since) / 1_000).toFixed(2)} s`
  const end = (): void => {
    clearInterval(timer)
    if (isTerminal && timer !== undefined) out.write('\r\x1b[K')
    timer = undefined
  }
  return {
    end,
    line: (text) => {
      end()
      out.write(`${text}\n`)
    },
    wait: (text) => {
      end()
      since = performance.now()
      if (!isTerminal) return
      const draw = (): void => {
        frame += 1
        out.write(`\r\x1b[K  ${paint(36, FRAMES[frame % FRAMES.length] ?? '')} ${text} ${paint(2, seconds())}`)
      }
      timer = setInterval(draw, FRAME_MS)
    },
    done: (text, note) => {
      end()
      const beside = note === undefined ? '' : `  ${paint(2, note)}`
      out.write(`  ${paint(32, '✓')} ${text.padEnd(34)} ${seconds().padStart(8)}${beside}\n`)
      since = performance.now()
    },
  }
}
