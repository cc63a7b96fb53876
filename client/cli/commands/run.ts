import { UsageError } from '../../node/errors.ts'
import { PROGRAM } from '../../node/program.ts'
import { findModel, makeRequest, readPrompt, taskFlag } from '../../node/request.ts'
import type { RunOptions } from '../../src/buyer.ts'
import { TASK_WORDS } from '../../src/tasks.ts'
import { type Command, type Invocation, withContext } from '../command.ts'
import { printError } from '../exit.ts'
import { integerFlag, MANY, readFlags, SPENDING_OPTIONS } from '../flags.ts'
import { assertWritable, isIntoFolder } from '../output.ts'
import { otherToken } from '../pay-in.ts'
import { type Start, showRun } from '../show-run.ts'

const OPTIONS = {
  ...SPENDING_OPTIONS,
  task: { type: 'string' },
  model: { type: 'string' },
  set: { type: 'string', multiple: true },
  out: { type: 'string' },
  force: { type: 'boolean' },
  resume: { type: 'boolean' },
  'new-payment': { type: 'boolean' },
  timeout: { type: 'string' },
  pay: { type: 'string' },
  'max-aic': { type: 'string' },
  'aic-token': { type: 'string' },
} as const

type Flags = ReturnType<typeof readFlags<typeof OPTIONS>>['values']

const HELP = `  --model ID        that model (default: the first one that needs no tier)
  --task TASK       ${TASK_WORDS}; default: image
  --set NAME=VALUE  a further input, e.g. --set seed=7; repeatable
  --out PATH        write the result there; a folder, or a path that ends in /, gets a file named by the purchase
  --force           replace an existing file
  --max-usdc N      the most that this call may cost (default 1.000000)
  --budget N        the most that this wallet may sign in 24 hours, all processes on this machine together
  --resume [ID …]   continue with kept payments instead of paying: with these, or with all
  --new-payment     sign once more where the service says that the first payment was not used (an expired quote)
  --timeout N       seconds until an unfinished run stops; its payment is kept (default 900)
  --pay aic         pay in AIC; needs --max-aic N, and --aic-token ADDRESS except on a local stack
`

/** Buys one inference. Progress goes to stderr; the text, or the URLs of the media, to stdout. */
export const run: Command = {
  summary: 'buy one inference: --out writes it to a file, a text goes to stdout',
  usage: 'run [flags] [PROMPT]        the prompt may be piped in\n       coinslot run --resume [ID …]',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = readFlags(args, OPTIONS, MANY)
    await withContext(values, (invocation) =>
      values.resume === true ? resume(invocation, values, positionals) : buy(invocation, values, positionals),
    )
  },
}

async function buy(invocation: Invocation, flags: Flags, words: readonly string[]): Promise<void> {
  const task = flags.task === undefined ? undefined : taskFlag(flags.task)
  const prompt = await readPrompt(words)
  const { account, options, uncounted } = await open(invocation, flags)
  const model = await findModel(invocation.context.coinslot(account), { task, model: flags.model })
  const request = makeRequest(model, { prompt, set: flags.set ?? [] })
  if (flags.out !== undefined) await assertWritable(flags.out, flags.force)
  await showRun(invocation, flags, (onWait) => {
    invocation.screen.wait(`asking ${model.id} for its price`)
    return invocation.context.coinslot(account, { uncounted, persistent: true, onWait }).run(request, options)
  })
}

async function resume(invocation: Invocation, flags: Flags, ids: readonly string[]): Promise<void> {
  const { account, options, uncounted } = await open(invocation, flags)
  const kept = await invocation.context.coinslot(account).unfinished()
  const wanted = ids.length > 0 ? [...ids] : kept.map(({ id }) => id)
  if (wanted.length === 0) invocation.screen.line('No payment is kept: each has its result.')
  const unknown = ids.find((id) => !kept.some((payment) => payment.id === id))
  if (unknown !== undefined)
    throw new UsageError(
      `No payment ${unknown} is kept here, or another process is using it; see \`${PROGRAM} payments\`.`,
    )
  if (flags.out !== undefined) await assertWritable(flags.out, flags.force)
  if (flags.out !== undefined && wanted.length > 1 && !(await isIntoFolder(flags.out)))
    throw new UsageError(`--out ${flags.out}: ${wanted.length} results need a folder; end it in /.`)
  let last: unknown
  for (const id of wanted) {
    // A payment that is refused does not stop the others.
    const resumeIt: Start = (onWait) =>
      invocation.context.coinslot(account, { uncounted, persistent: true, onWait }).resume(id, options)
    await showRun(invocation, flags, resumeIt).catch((error: unknown) => {
      if (last !== undefined) printError(last, invocation.isJson)
      last = error
    })
  }
  if (last !== undefined) throw last
}

async function open({ context }: Invocation, flags: Flags) {
  const payIn = otherToken(flags, context)
  const options: RunOptions = {
    ...(payIn !== undefined && { payIn }),
    ...(flags['new-payment'] === true && { allowNewPayment: true }),
    ...(flags.timeout !== undefined && { timeoutSeconds: integerFlag('--timeout', flags.timeout) }),
  }
  if (payIn !== undefined && context.budgetUsdc !== null)
    throw new UsageError('A budget is counted in USDC: not with --pay aic.')
  return { account: await context.account(), options, uncounted: payIn !== undefined }
}
