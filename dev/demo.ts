import { privateKeyToAccount } from 'viem/accounts'
import { saveResult } from '../client/cli/output.ts'
import { type Coinslot, createCoinslot, type Model, type Result, type RunEvent } from '../client/src/index.ts'
import { usdcBalance } from './demo/balance.ts'
import { DEMO_HELP, type DemoFlags, parseDemoFlags, type Task } from './demo/flags.ts'
import { chooseModel, makeOrder, tokenOf } from './demo/order.ts'
import { createScreen, type Screen } from './demo/screen.ts'
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
  const coinslot = createCoinslot({ origin: shop.origin, account, chainId: shop.chainId })
  if (flags.stake !== undefined) {
    screen.wait('staking')
    await stakeAic(shop, flags.stake)
    screen.done(`staked ${flags.stake} AIC`)
  }
  screen.wait('signing in')
  await coinslot.signIn()
  screen.done('signed in', account.address)

  const models = await coinslot.models()
  for (const model of models) screen.line(`    ${model.estimatedCostUsdc} USDC  ${model.task.padEnd(14)} ${model.id}`)
  screen.done(`${models.length} models and their prices`)

  const before = await balanceAt(shop, account.address)
  for (const task of flags.tasks) await purchase({ coinslot, shop, flags, screen }, models, task)
  const after = await balanceAt(shop, account.address)
  if (before !== null) screen.line(`\n  USDC on chain: ${before} before, ${after} after`)
}

async function balanceAt({ chain }: Shop, account: `0x${string}`): Promise<string | null> {
  return chain === null ? null : usdcBalance(chain.rpcUrl, chain.usdc, account)
}

interface Visit {
  coinslot: Coinslot
  shop: Shop
  flags: DemoFlags
  screen: Screen
}

async function purchase({ coinslot, shop, flags, screen }: Visit, models: readonly Model[], task: Task): Promise<void> {
  const model = chooseModel(models, task, flags)
  if (model === null) {
    if (flags.model !== undefined && models.some(({ id }) => id === flags.model)) return
    throw new Error(`there is no model ${flags.model ?? ''} for ${task}`)
  }
  screen.line(`\n  ${task} · ${model.name} · ${model.estimatedCostUsdc} USDC for about ${model.estimatedSeconds} s`)
  screen.wait('asking for the price')
  const payIn = tokenOf(shop, flags)
  const run = coinslot.run(makeOrder(model, flags), payIn === undefined ? {} : { payIn })
  for await (const event of run) show(screen, event)
  const result = await run.result()
  screen.done('here it is', result.id)
  const paths = result.output.type === 'text' ? [] : await saveResult(result, `${flags.out}/`, { origin: shop.origin })
  showResult(screen, result, paths)
  if (flags.json) process.stdout.write(`${JSON.stringify(result)}\n`)
}

function show(screen: Screen, event: RunEvent): void {
  switch (event.event) {
    case 'quoted':
      screen.done('quoted', event.price)
      screen.wait('signing')
      break
    case 'signed':
      screen.done('signed, no gas needed')
      screen.wait('paying')
      break
    case 'settled':
      screen.done('paid', event.transaction)
      screen.wait('the model runs')
      break
    case 'stored':
      screen.done('made and stored')
      screen.wait('writing it down')
      break
    case 'again':
      screen.fail(`${event.why}; sending the same payment again`)
      screen.wait('paying')
      break
  }
}

function showResult(screen: Screen, result: Result, paths: readonly string[]): void {
  const { metrics, output } = result
  if (output.type === 'text') screen.line(`\n${output.text.trim()}\n`)
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
