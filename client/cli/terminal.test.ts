import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeScreen, visibleLineOn, visibleOn } from './terminal.ts'

const terminal = { isTTY: true }
const pipe = { isTTY: false }

/** Texts that a service may send to a terminal, and how they are shown. */
const HOSTILE = [
  ['a clipboard write (OSC 52)', '\x1b]52;c;cm0gLXJm\x07', '<U+001B>]52;c;cm0gLXJm<U+0007>'],
  ['a title (OSC 0)', '\x1b]0;x\x1b\\', '<U+001B>]0;x<U+001B>\\'],
  ['a cursor move (CSI)', '\x1b[2A\x1b[2K', '<U+001B>[2A<U+001B>[2K'],
  ['an 8-bit CSI', '\u009b2J', '<U+009B>2J'],
  ['a return over the line', 'Nothing was charged\rPaid', 'Nothing was charged<U+000D>Paid'],
  ['backspace and delete', 'a\b\x7f', 'a<U+0008><U+007F>'],
  ['a right-to-left override', '\u202egpj.exe', '<U+202E>gpj.exe'],
  ['a bidi isolate', '\u2066x\u2069', '<U+2066>x<U+2069>'],
  ['bidi marks', '\u200e\u200f\u061c', '<U+200E><U+200F><U+061C>'],
  ['a line separator', 'a\u2028b', 'a<U+2028>b'],
] as const

describe('visibleOn', () => {
  it.each(HOSTILE)('behavior: %s is shown on a terminal, not obeyed', (_, text, shown) => {
    expect(visibleOn(terminal, text)).toBe(shown)
    expect(visibleLineOn(terminal, text)).toBe(shown)
  })

  it.each(HOSTILE)('behavior: %s goes into a pipe as it is', (_, text) => {
    expect(visibleOn(pipe, text)).toBe(text)
    expect(visibleLineOn(pipe, text)).toBe(text)
  })

  it('default: letters of any script, emoji, line feeds and tabs stay as they are', () => {
    const text = 'Zürich, 東京, القاهرة, 👩‍👩‍👧\n\tשלום'
    expect(visibleOn(terminal, text)).toBe(text)
  })

  it('behavior: a text that is one line keeps to its line', () => {
    expect(visibleLineOn(terminal, 'a/b\n✓ paid\t')).toBe('a/b<U+000A>✓ paid<U+0009>')
  })
})

it('behavior: a screen spells what it is given, and keeps its own colours', () => {
  let written = ''
  const screen = makeScreen({
    isTTY: true,
    write: (piece: string | Uint8Array) => {
      written += String(piece)
      return true
    },
  })
  screen.line('why\x1b[1A')
  screen.done('paid: \x1b]52;c;x\x07')
  expect(written).toContain('why<U+001B>[1A\n')
  expect(written).toContain('\x1b[32m✓\x1b[0m paid: <U+001B>]52;c;x<U+0007> ')
})

it('behavior: no command writes to the terminal without it', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const writers = files.filter((name) =>
    /process\.std(out|err)\.write|console\./.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  )
  // `flags.ts` and `main.ts` print their help, `secrets.ts` its prompts: no text of a service.
  expect(writers.sort()).toEqual(['command.ts', 'exit.ts', 'flags.ts', 'main.ts', 'secrets.ts', 'show-run.ts'])
})
