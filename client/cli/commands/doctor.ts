import { formatAmount, parseAmount, USDC_DECIMALS } from '../../../protocol/money.ts'
import { spentToday } from '../../node/file-budget.ts'
import { PROGRAM } from '../../node/program.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { describeError, EXIT } from '../exit.ts'
import { readFlags } from '../flags.ts'

interface Check {
  name: string
  ok: boolean
  note: string
}

/** Runs one check. A failure is a result too. */
async function check(name: string, ask: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, note: await ask() }
  } catch (error) {
    return { name, ok: false, note: describeError(error) }
  }
}

const LARGEST_SKEW_MS = 30_000

/** The service's answers may be five seconds old, since it shares them. */
async function* serviceChecks(coinslot: Coinslot, origin: string): AsyncGenerator<Check> {
  yield check('service', async () => {
    const { status, db, r2, replicate } = await coinslot.health()
    if (status !== 'ok') throw new Error(`degraded: database ${db}, storage ${r2}, models ${replicate}`)
    return `${origin} is healthy`
  })
  yield check('clock', async () => {
    const skewMs = Date.parse((await coinslot.health()).timestamp) - Date.now()
    if (Math.abs(skewMs) > LARGEST_SKEW_MS)
      throw new Error(`${Math.round(skewMs / 1_000)} s off: set this machine's clock`)
    return 'agrees with the service'
  })
  yield check('models', async () => `${(await coinslot.models()).length} models`)
}

async function* walletChecks(context: CommandContext): AsyncGenerator<Check> {
  const opened = context.account()
  const wallet = await check('wallet', async () => (await opened).address)
  yield wallet
  if (!wallet.ok) return
  const account = await opened
  const coinslot = context.coinslot(account)
  yield check('sign-in', async () => `the wallet is proven on chain ${(await coinslot.account()).chainId}`)
  yield check('balance', async () => {
    const { usdc } = (await coinslot.account()).balances
    if (usdc !== null && parseAmount(usdc, USDC_DECIMALS) === 0n) throw new Error('0 USDC: nothing can be bought')
    return `${usdc ?? 'an unknown amount of'} USDC`
  })
  yield check('spending', async () => {
    const spent = formatAmount(spentToday(context.state, account.address.toLowerCase()), USDC_DECIMALS)
    return `${spent} USDC in the last 24 hours, signed on this machine`
  })
  yield check('payments', async () => {
    const kept = await coinslot.unfinished()
    if (kept.length > 0) throw new Error(`${kept.length} without a result: see \`${PROGRAM} payments\``)
    return 'every payment has its result'
  })
}

export const doctor: Command = {
  summary: 'check the service, the clock, the wallet and its money',
  usage: 'doctor',
  run: async (args) => {
    const { values } = readFlags(args, {})
    await withContext(values, async ({ context, isJson }) => {
      const checks: Check[] = []
      for (const some of [serviceChecks(context.coinslot(), context.origin), walletChecks(context)]) {
        for await (const one of some) {
          checks.push(one)
          if (!isJson)
            printLine(`${one.ok ? '✓' : '✗'} ${one.name.padEnd(9)} ${one.note.replaceAll('\n', '\n            ')}`)
        }
      }
      if (isJson) printJson({ checks })
      if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.unexpected
    })
  },
}
