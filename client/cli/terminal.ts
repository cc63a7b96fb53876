/**
 * Characters that a terminal obeys instead of showing: controls (C0, C1, DEL), and those that change the direction or the order of
 * a line. A text from the service could use them to move the cursor, write to the clipboard, or fake other output.
 */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

const spelled = (character: string): string =>
  `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}>`

/** The text as it may be written to `out`. On a terminal, controls other than tab and line feed are spelled, e.g. `<U+001B>`. */
export const visibleOn = (out: Pick<NodeJS.WriteStream, 'isTTY'>, text: string): string =>
  out.isTTY ? text.replace(OBEYED, (found) => (found === '\n' || found === '\t' ? found : spelled(found))) : text

/** The same for a text that is one line: line feeds and tabs are spelled too. */
export const visibleLineOn = (out: Pick<NodeJS.WriteStream, 'isTTY'>, text: string): string =>
  out.isTTY ? text.replace(OBEYED, spelled) : text

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80

/** The progress of a command on stderr. Results go to stdout. */
export interface Screen {
  /** Shows one or more plain lines. */
  line(text: string): void
  /** Shows what the command waits for, until `done`, `line` or `end`. */
  wait(text: string): void
  /** Shows a finished step, how long it took, and a note. */
  done(text: string, note?: string): void
  /** Removes the waiting line. */
  end(): void
}

export const silentScreen: Screen = { line: () => {}, wait: () => {}, done: () => {}, end: () => {} }

export function makeScreen(out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): Screen {
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
      out.write(`${visibleOn(out, text)}\n`)
    },
    wait: (text) => {
      end()
      since = performance.now()
      if (!isTerminal) return
      const shown = visibleLineOn(out, text)
      const draw = (): void => {
        frame += 1
        out.write(`\r\x1b[K  ${paint(36, FRAMES[frame % FRAMES.length] ?? '')} ${shown} ${paint(2, seconds())}`)
      }
      timer = setInterval(draw, FRAME_MS)
    },
    done: (text, note) => {
      end()
      const beside = note === undefined ? '' : `  ${paint(2, visibleLineOn(out, note))}`
      out.write(`  ${paint(32, '✓')} ${visibleLineOn(out, text).padEnd(34)} ${seconds().padStart(8)}${beside}\n`)
      since = performance.now()
    },
  }
}
