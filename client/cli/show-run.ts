import { PROGRAM } from '../node/program.ts'
import { CoinslotError } from '../src/errors.ts'
import type { Run } from '../src/run.ts'
import type { Output, Result } from '../src/types.ts'
import { type Invocation, printJson, printLine } from './command.ts'
import { printError } from './exit.ts'
import { saveResult } from './output.ts'
import { type Progress, showProgress } from './progress.ts'
import { endOnSignal } from './stop.ts'
import { visibleOn } from './terminal.ts'

/** Starts a run that reports its waits to `onWait`. */
export type Start = (onWait: (ms: number) => void) => Run

/** Where the result goes: to a path, or else to stdout. */
export interface Target {
  out?: string | undefined
  force?: boolean | undefined
}

/** Shows the progress of a run, then its result. */
export async function showRun(invocation: Invocation, target: Target, start: Start): Promise<void> {
  const { context, screen, isJson } = invocation
  const { out, force } = target
  // A terminal shows the text while it grows. A pipe gets it once, as it was recorded.
  const live = liveText(process.stdout.isTTY === true && !isJson && out === undefined)
  const show = showProgress(screen, live.add)
  const result = await follow(invocation, start, (event) => {
    if (LINE_EVENTS.includes(event.event)) live.endLine()
    show(event)
  })
  const files = out === undefined ? undefined : await save(result, out, { origin: context.origin, force })
  if (isJson) printJson({ ...result, ...(files !== undefined && { files }) })
  else if (files !== undefined) for (const file of files) printLine(file)
  else printOutput(result.output, live)
}

/** Events that print a line while a text is being shown. */
const LINE_EVENTS: readonly string[] = ['stored', 'pending', 'again']

type LiveText = ReturnType<typeof liveText>

/** The text that a model writes, shown piece by piece where `isShown`. */
function liveText(isShown: boolean) {
  let text = ''
  let isMidLine = false
  return {
    add: (piece: string): void => {
      text += piece
      if (!isShown) return
      process.stdout.write(visibleOn(process.stdout, piece))
      isMidLine = !piece.endsWith('\n')
    },
    endLine: (): void => {
      if (isMidLine) process.stdout.write('\n')
      isMidLine = false
    },
    /** The part of a whole text that was not shown yet; null where something else was shown. */
    restOf: (whole: string): string | null => (isShown && whole.startsWith(text) ? whole.slice(text.length) : null),
  }
}

function printOutput(output: Output, live: LiveText): void {
  if (output.type !== 'text') {
    for (const url of output.urls) printLine(url)
    return
  }
  const left = live.restOf(output.text)
  if (left === null || left === '') live.endLine()
  const rest = left ?? output.text
  if (rest !== '') printLine(rest)
}

/** Runs to the result. A signal ends the process with a message about the payment. */
async function follow({ context, screen, isJson }: Invocation, start: Start, progress: Progress): Promise<Result> {
  let paymentId: string | undefined
  const run = start((ms) => {
    // After the signature every wait has its own event.
    if (paymentId === undefined) context.onWait(ms)
  })
  const release = endOnSignal(
    () => paymentId,
    (error) => {
      screen.end()
      printError(error, isJson)
    },
  )
  try {
    for await (const event of run) {
      if (event.event === 'signed' || event.event === 'resumed') paymentId = event.paymentId
      progress(event)
    }
    return await run.result()
  } finally {
    release()
    screen.end()
  }
}

async function save(result: Result, out: string, options: Parameters<typeof saveResult>[2]): Promise<string[]> {
  try {
    return await saveResult(result, out, options)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CoinslotError(`Paid, but not written (${why}). Try: ${PROGRAM} get ${result.id} --out ${out}`, { cause })
  }
}
