import { type Desk, type DeskFlags, openDesk } from './desk.ts'
import { makeScreen, type Screen, silentScreen } from './screen.ts'

/** One command of `coinslot`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string
  /** Everything after `coinslot`. */
  usage: string
  /** More of the help: flags, one a line. */
  help?: string
  run(args: readonly string[]): Promise<void>
}

/** What a command works with. */
export interface Work {
  desk: Desk
  screen: Screen
  isJson: boolean
}

/** Opens the desk for a command and closes it after. */
export async function atDesk(
  flags: DeskFlags & { json?: boolean | undefined; quiet?: boolean | undefined },
  work: (work: Work) => Promise<void>,
): Promise<void> {
  const screen = flags.quiet === true ? silentScreen : makeScreen()
  const desk = await openDesk(flags, screen)
  try {
    await work({ desk, screen, isJson: flags.json === true })
  } finally {
    screen.end()
    desk.state.close()
  }
}

/** One value, as JSON on a line of its own. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

export const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

/** Rows as columns of equal width. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
