import type { RunOptions } from '../../src/buyer.ts'
import { CoinslotError } from '../../src/errors.ts'
import type { Run } from '../../src/run.ts'
import type { Result } from '../../src/types.ts'
import { atDesk, type Command, printJson, printLine, type Work } from '../command.ts'
import { tellError, UsageError } from '../exit.ts'
import { integerFlag, readFlags, SPENDING_OPTIONS } from '../flags.ts'
import { saveResult } from '../output.ts'
import { otherToken } from '../pay-in.ts'
import { PROGRAM } from '../program.ts'
import { showProgress } from '../progress.ts'
import { findModel, makeRequest, readPrompt, taskFlag } from '../request.ts'

const OPTIONS = {
  ...SPENDING_OPTIONS,
  task: { type: 'string' },
  model: { type: 'string' },
  set: { type: 'string', multiple: true },
  out: { type: 'string' },
  resume: { type: 'boolean' },
  'new-payment': { type: 'boolean' },
  timeout: { type: 'string' },
  pay: { type: 'string' },
  'max-aic': { type: 'string' },
  'aic-token': { type: 'string' },
} as const

type Flags = ReturnType<typeof readFlags<typeof OPTIONS>>['values']

const HELP = `  --model ID        that model (default: the first one that is open to you)
  --task TASK       image (default), text or sound
  --set NAME=VALUE  a further input, e.g. --set seed=7; repeatable
  --out PATH        write the result there; a folder, or a path that ends in /, gets a file named for the purchase
  --max-usdc N      the most that this call may cost (default 1.000000)
  --budget N        the most that this wallet may spend in 24 hours, all processes together
  --resume [ID …]   go on with kept payments instead of paying: those named, or all
  --new-payment     sign once more where the service says that the first payment was not used (a lapsed quote)
  --timeout N       seconds until an unfinished run is given up, its payment kept (default 900)
  --pay aic         pay in AIC; needs --max-aic N, and --aic-token ADDRESS except on a local stack
`

/** Buys one inference: progress on stderr; the text, or the URLs of the media, on stdout. */
export const run: Command = {
  summary: 'buy one inference: --out writes it to a file, a text goes to stdout',
  usage: 'run [flags] [PROMPT]        the prompt may be piped in\n       coinslot run --resume [ID …]',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = readFlags(args, OPTIONS)
    await atDesk(values, (work) =>
      values.resume === true ? resume(work, values, positionals) : buy(work, values, positionals),
    )
  },
}

async function buy(work: Work, flags: Flags, words: readonly string[]): Promise<void> {
  const task = flags.task === undefined ? undefined : taskFlag(flags.task)
  const prompt = await readPrompt(words)
  const { coinslot, options } = await open(work, flags)
  const model = await findModel(coinslot, { task, model: flags.model })
  const request = makeRequest(model, { prompt, set: flags.set ?? [] })
  work.screen.wait(`asking ${model.id} for its price`)
  await show(work, flags, coinslot.run(request, options))
}

async function resume(work: Work, flags: Flags, ids: readonly string[]): Promise<void> {
  const { coinslot, options } = await open(work, flags)
  const kept = await coinslot.unfinished()
  const wanted = ids.length > 0 ? [...ids] : kept.map(({ id }) => id)
  if (wanted.length === 0) work.screen.line('No payment is kept: every result is here.')
  let last: unknown
  for (const id of wanted) {
    // One that is refused does not keep the others back.
    await show(work, flags, coinslot.resume(id, options)).catch((error: unknown) => {
      if (last !== undefined) tellError(last, work.isJson)
      last = error
    })
  }
  if (last !== undefined) throw last
}

async function open({ desk }: Work, flags: Flags) {
  const payIn = otherToken(flags, desk)
  const options: RunOptions = {
    ...(payIn !== undefined && { payIn }),
    ...(flags['new-payment'] === true && { allowNewPayment: true }),
    ...(flags.timeout !== undefined && { timeoutSeconds: integerFlag('--timeout', flags.timeout) }),
  }
  if (payIn !== undefined && desk.budgetUsdc !== null)
    throw new UsageError('A budget is counted in USDC: not with --pay aic.')
  return { coinslot: desk.coinslot(await desk.account(), { uncounted: payIn !== undefined }), options }
}

async function show({ screen, isJson }: Work, { out }: Flags, run: Run): Promise<void> {
  // A terminal sees the text grow; a pipe gets it once, as it was recorded.
  const isLive = process.stdout.isTTY === true && !isJson && out === undefined
  let shown = ''
  const progress = showProgress(screen, (text) => {
    shown += text
    if (isLive) process.stdout.write(text)
  })
  for await (const event of run) progress(event)
  screen.end()
  const result = await run.result()
  const files = out === undefined ? undefined : await save(result, out)
  if (isJson) printJson({ ...result, ...(files !== undefined && { files }) })
  else if (files !== undefined) for (const file of files) printLine(file)
  else if (result.output.type !== 'text') for (const url of result.output.urls) printLine(url)
  else
    printLine(
      isLive && result.output.text.startsWith(shown) ? result.output.text.slice(shown.length) : result.output.text,
    )
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
