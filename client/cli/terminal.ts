/** The command as the user types it, so that hints can be pasted. npx sets `npm_command` for what it starts. */
export const PROGRAM = process.env['npm_command'] === 'exec' ? 'npx --no coinslot' : 'coinslot'

export const VERSION = '1.0.0'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/** What is told on stderr while a command works; stdout holds results only. */
export interface Screen {
  /** A plain line. */
  line(text: string): void
  /** Something is waited for, until `done` or `end`. */
  wait(text: string): void
  /** It is done; shows how long it took. */
  done(text: string): void
  /** Takes the waiting away. */
  end(): void
}

/** Says nothing at all. */
export const silentScreen: Screen = { line: () => {}, wait: () => {}, done: () => {}, end: () => {} }

export function makeScreen(out: NodeJS.WriteStream = process.stderr): Screen {
  const isTerminal = out.isTTY === true
  const paint = (code: number, text: string): string => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text)
  let timer: NodeJS.Timeout | undefined
  let since = performance.now()
  let frame = 0

  const seconds = (): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`
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
    done: (text) => {
      end()
      out.write(`  ${paint(32, '✓')} ${text} ${paint(2, seconds())}\n`)
      since = performance.now()
    },
  }
}
