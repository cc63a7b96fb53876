import { type CommandContext, type ContextFlags, openContext } from './context.ts'
import { makeScreen, type Screen, silentScreen, visibleLineOn, visibleOn } from './terminal.ts'

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

/** One call of a command. */
export interface Invocation {
  context: CommandContext
  screen: Screen
  isJson: boolean
}

/** Opens the context of a command, and closes it afterwards. */
export async function withContext(
  flags: ContextFlags & { json?: boolean | undefined; quiet?: boolean | undefined },
  run: (invocation: Invocation) => Promise<void>,
): Promise<void> {
  const screen = flags.quiet === true ? silentScreen : makeScreen()
  const context = await openContext(flags, screen)
  try {
    await run({ context, screen, isJson: flags.json === true })
  } finally {
    screen.end()
    context.state.close()
  }
}

/** Prints a value as one line of JSON. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

export const printLine = (text: string): void => void process.stdout.write(`${visibleOn(process.stdout, text)}\n`)

/** Prints rows with columns of equal width. */
export function printTable(table: readonly (readonly string[])[]): void {
  const rows = table.map((row) => row.map((cell) => visibleLineOn(process.stdout, cell)))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
