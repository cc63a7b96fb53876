import { privateKeyToAccount } from 'viem/accounts'
import { type Model, modelsSchema, type Result, refusalOf } from './demo/api.ts'
import { usdcBalance } from './demo/balance.ts'
import { DEMO_HELP, type DemoFlags, parseDemoFlags, type Task } from './demo/flags.ts'
import { chooseEntry, chooseModel, makeOrder } from './demo/order.ts'
import { saveOutput } from './demo/output.ts'
import { buy, type Progress } from './demo/purchase.ts'
import { createScreen, type Screen } from './demo/screen.ts'
import { openSession, type Session, signIn } from './demo/session.ts'
import { findShop, type Shop } from './demo/shop.ts'
import { stakeAic } from './demo/stake.ts'

async function main(): Promise<void> {
  const flags = parseDemoFlags(process.argv.slice(2))
  if (flags.help) {
    process.stdout.write(DEMO_HELP)
    return
  }
  const screen = createScreen()
  const shop = await findShop(flags, screen)
  try {
    await visit(shop, flags, screen)
  } finally {
    await shop.close()
  }
}

async function visit(shop: Shop, flags: DemoFlags, screen: Screen): Promise<void> {
  const account = privateKeyToAccount(shop.key)
  const session = openSession(shop.origin)
  if (flags.stake !== undefined) {
    screen.wait('staking')
    await stakeAic(shop, flags.stake)
    screen.done(`staked ${flags.stake} AIC`)
  }
  screen.wait('signing in')
  await signIn(session, account, shop.chainId)
  screen.done('signed in', account.address)

  const models = await listModels(session)
  for (const model of models) screen.line(`    ${model.estimatedCostUsdc} USDC  ${model.task.padEnd(14)} ${model.id}`)
  screen.done(`${models.length} models and their prices`)

  const before = await balanceAt(shop, account.address)
  for (const task of flags.tasks) await purchase({ session, shop, flags, screen }, models, task)
  const after = await balanceAt(shop, account.address)
  if (before !== null) screen.line(`\n  USDC on chain: ${before} before, ${after} after`)
}

async function listModels(session: Session): Promise<Model[]> {
  const response = await session.call('/api/models')
  if (!response.ok) throw await refusalOf(response)
  return modelsSchema.parse(await response.json()).models
}

async function balanceAt({ chain }: Shop, account: `0x${string}`): Promise<string | null> {
  return chain === null ? null : usdcBalance(chain.rpcUrl, chain.usdc, account)
}

interface Visit {
  session: Session
  shop: Shop
  flags: DemoFlags
  screen: Screen
}

async function purchase({ session, shop, flags, screen }: Visit, models: readonly Model[], task: Task): Promise<void> {
  const model = chooseModel(models, task, flags)
  if (model === null) {
    if (flags.model !== undefined && models.some(({ id }) => id === flags.model)) return
    throw new Error(`there is no model ${flags.model ?? ''} for ${task}`)
  }
  screen.line(`\n  ${task} · ${model.name} · ${model.estimatedCostUsdc} USDC for about ${model.estimatedSeconds} s`)
  screen.wait('asking for the price')
  const result = await buy(
    session,
    privateKeyToAccount(shop.key),
    makeOrder(model, flags),
    (required) => chooseEntry(required, flags.pay),
    (progress) => show(screen, progress),
  )
  screen.done('here it is', result.id)
  const paths = await saveOutput(result, flags.out)
  showResult(screen, result, paths)
  if (flags.json) process.stdout.write(`${JSON.stringify(result)}\n`)
}

function show(screen: Screen, progress: Progress): void {
  switch (progress.stage) {
    case 'quoted':
      screen.done('quoted', progress.amount)
      screen.wait('signing')
      break
    case 'signed':
      screen.done('signed, no gas needed')
      screen.wait('paying')
      break
    case 'settled':
      screen.done('paid', progress.transaction)
      screen.wait('the model runs')
      break
    case 'stored':
      screen.done('made and stored')
      screen.wait('writing it down')
      break
    case 'again':
      screen.fail(`${progress.why}; sending the same payment again`)
      screen.wait('paying')
  }
}

function showResult(screen: Screen, result: Result, paths: readonly string[]): void {
  const { metrics, output } = result
  if (output?.type === 'text') screen.line(`\n${output.text.trim()}\n`)
  for (const path of paths) screen.line(`    saved        ${path}`)
  screen.line(`    transaction  ${metrics.paymentTxHash}`)
  screen.line(`    estimate     ${metrics.estimatedCostUsdc} USDC   actual ${metrics.actualCostUsdc ?? '–'} USDC`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
