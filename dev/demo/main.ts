import type { PrivateKeyAccount } from 'viem/accounts'
import { printJson } from '../../client/cli/command.ts'
import { type CommandContext, openContext } from '../../client/cli/context.ts'
import { runProgram } from '../../client/cli/flags.ts'
import { saveResult } from '../../client/cli/output.ts'
import { otherToken } from '../../client/cli/pay-in.ts'
import { showProgress } from '../../client/cli/progress.ts'
import { makeScreen, type Screen, silentScreen } from '../../client/cli/terminal.ts'
import { findModel, makeRequest } from '../../client/node/request.ts'
import { hasInput } from '../../client/src/tasks.ts'
import type { Result, Task } from '../../client/src/types.ts'
import { formatAmount, USDC_DECIMALS } from '../../protocol/money.ts'
import { DEMO_HELP, type DemoFlags, parseDemoFlags } from './flags.ts'
import { playPresale } from './presale.ts'
import { stakeAic } from './stake.ts'
import { openTarget, type Target } from './target.ts'

const PROMPTS: Record<Task, string> = {
  'text-to-image': 'a red bicycle leaning on a garden wall in the evening sun',
  'text-to-text': 'Explain how a lighthouse lens bends light so that a ship far away can see it.',
  'text-to-sound': 'Good evening. One coin, one song: thank you for using the machine.',
}

/** More AIC than any price of the local stack. */
const MAX_AIC = '1000'

await runProgram(DEMO_HELP, async (args) => {
  const flags = parseDemoFlags(args)
  const screen = flags.quiet === true ? silentScreen : makeScreen()
  const target = await openTarget(flags, screen)
  try {
    await buyAll(target, flags, screen)
  } finally {
    screen.end()
    await target.close()
  }
  return true
})

/** The context of a purchase of the demo. */
interface Demo {
  context: CommandContext
  account: PrivateKeyAccount
  target: Target
  flags: DemoFlags
  screen: Screen
}

async function buyAll(target: Target, flags: DemoFlags, screen: Screen): Promise<void> {
  const context = await openContext(flags, screen, target.env)
  try {
    const account = await context.account()
    const coinslot = context.coinslot(account)
    if (flags.stake !== undefined && target.stack !== null) {
      screen.wait('staking')
      await stakeAic(target.stack, account, flags.stake)
      screen.done(`staked ${flags.stake} AIC`)
    }
    screen.done('wallet', account.address)
    if (flags.presale === true && target.stack !== null) return await playPresale(target.stack, account, screen)
    const models = await coinslot.models()
    for (const { estimatedCostUsdc, task, id } of models)
      screen.line(`    ${estimatedCostUsdc} USDC  ${task.padEnd(14)} ${id}`)
    screen.done(`${models.length} models and their prices`)
    let paidAtomic = 0n
    for (const task of flags.tasks) {
      const { metrics } = await buy({ context, account, target, flags, screen }, task)
      paidAtomic += BigInt(metrics.paymentAmount)
    }
    if (flags.pay === 'usdc') screen.line(`\n  ${formatAmount(paidAtomic, USDC_DECIMALS)} USDC paid in all`)
  } finally {
    context.state.close()
  }
}

async function buy({ context, account, target, flags, screen }: Demo, task: Task | undefined): Promise<Result> {
  const wrappedAic = target.stack?.contracts['wrappedAic']
  const payIn = otherToken({ pay: flags.pay, 'max-aic': MAX_AIC, 'aic-token': wrappedAic }, context)
  const coinslot = context.coinslot(account, { uncounted: payIn !== undefined, persistent: true })
  const model = await findModel(coinslot, { task, model: flags.model })
  const { estimatedCostUsdc, estimatedSeconds } = model
  screen.line(`\n  ${model.task} · ${model.name} · ${estimatedCostUsdc} USDC for about ${estimatedSeconds} s`)
  screen.wait('asking for the price')
  const set = flags.seed !== undefined && hasInput(model, 'seed') ? [`seed=${flags.seed}`] : []
  const request = makeRequest(model, { prompt: flags.prompt ?? PROMPTS[model.task], set })
  // A payment that was kept for another local stack is of no use to this one.
  const run = coinslot.run(request, { allowNewPayment: true, ...(payIn !== undefined && { payIn }) })
  const progress = showProgress(screen, () => undefined)
  for await (const event of run) progress(event)
  const result = await run.result()
  screen.done('here it is', result.id)
  const paths = result.output.type === 'text' ? [] : await saveResult(result, `${flags.out}/`, context)
  showResult(screen, result, paths)
  if (flags.json === true) printJson(result)
  return result
}

function showResult(screen: Screen, { metrics, output }: Result, paths: readonly string[]): void {
  if (output.type === 'text') screen.line(`\n${output.text.trim()}\n`)
  for (const path of paths) screen.line(`    saved        ${path}`)
  screen.line(`    transaction  ${metrics.paymentTxHash}`)
  screen.line(`    estimate     ${metrics.estimatedCostUsdc} USDC   actual ${metrics.actualCostUsdc ?? '–'} USDC`)
}
