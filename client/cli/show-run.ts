import { CoinslotError } from '../src/errors.ts'
import type { Run } from '../src/run.ts'
import type { Result } from '../src/types.ts'
import { type Invocation, printJson, printLine } from './command.ts'
import { printError } from './exit.ts'
import { saveResult } from './output.ts'
import { type Progress, showProgress } from './progress.ts'
import { endOnSignal } from './stop.ts'
import { PROGRAM } from './terminal.ts'

/** Begins a run whose waits are told to `onWait`. */
export type Start = (onWait: (ms: number) => void) => Run

/** What may be said while a text stands half written. */
const BESIDE_A_TEXT: readonly string[] = ['stored', 'pending', 'again']

/** Shows a run while it goes, then its result: written to `out` where that is given, else on stdout. */
export async function showRun(work: Invocation, out: string | undefined, start: Start): Promise<void> {
  const { screen, isJson } = work
  // A terminal sees the text grow; a pipe gets it once, as it was recorded.
  const isLive = process.stdout.isTTY === true && !isJson && out === undefined
  let shown = ''
  let isMidLine = false
  const tell = showProgress(screen, (text) => {
    shown += text
    if (!isLive) return
    process.stdout.write(text)
    isMidLine = !text.endsWith('\n')
  })
  const breakLine = (): void => {
    if (isMidLine) process.stdout.write('\n')
    isMidLine = false
  }
  const progress: Progress = (event) => {
    if (BESIDE_A_TEXT.includes(event.event)) breakLine()
    tell(event)
  }
  const result = await follow(work, start, progress)
  const files = out === undefined ? undefined : await save(result, out)
  if (isJson) printJson({ ...result, ...(files !== undefined && { files }) })
  else if (files !== undefined) for (const file of files) printLine(file)
  else if (result.output.type !== 'text') for (const url of result.output.urls) printLine(url)
  else {
    const isGoingOn = isLive && result.output.text.startsWith(shown)
    const rest = isGoingOn ? result.output.text.slice(shown.length) : result.output.text
    if (!isGoingOn || rest === '') breakLine()
    if (rest !== '') printLine(rest)
  }
}

/** Goes through a run; whoever ends it in the middle is told what that means for the money. */
async function follow({ context, screen, isJson }: Invocation, start: Start, progress: Progress): Promise<Result> {
  let paymentId: string | undefined
  const run = start((ms) => {
    // From the signature on, each wait is an event of its own.
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

async function save(result: Result, out: string): Promise<string[]> {
  try {
    return await saveResult(result, out)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CoinslotError(`Bought, but not written (${why}). Try: ${PROGRAM} get ${result.id} --out ${out}`, {
      cause,
    })
  }
}
