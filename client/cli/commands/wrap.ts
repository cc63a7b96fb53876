import { AIC_DECIMALS, formatAmount, parseAmount } from '../../../protocol/money.ts'
import { networkName } from '../../../protocol/networks.ts'
import { UsageError } from '../../node/errors.ts'
import { PROGRAM } from '../../node/program.ts'
import { wrapAic } from '../../node/wrap.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import { readFlags, urlFlag } from '../flags.ts'
import { wrappedAic } from '../pay-in.ts'

const HELP = `Wraps AIC one for one, so that \`run --pay aic\` can pay with it. One transaction, and the wallet pays its gas in ether.
Everything is checked before it is sent. Its hash goes to stdout once it is mined.
  --undo               unwrap: the AIC comes back
  --rpc URL            a node of the chain, except on a local stack
  --aic-token ADDRESS  the contract of wrapped AIC, except on a local stack; take it from a source that you trust
`

const OPTIONS = { undo: { type: 'boolean' }, rpc: { type: 'string' }, 'aic-token': { type: 'string' } } as const

export const wrap: Command = {
  summary: 'wrap AIC, so that it can pay; --undo unwraps it',
  usage: 'wrap AMOUNT [--undo] [--rpc URL] [--aic-token ADDRESS]',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = readFlags(args, OPTIONS, 1)
    const amount = aicAmount(positionals[0])
    const undo = values.undo === true
    const rpc = values.rpc === undefined ? undefined : urlFlag('--rpc', values.rpc)
    await withContext(values, async ({ context, screen, isJson }) => {
      const rpcUrl = rpc ?? context.local?.rpcUrl
      if (rpcUrl === undefined) throw new UsageError('Which node? Give --rpc URL, a node of the chain of your AIC.')
      const wrapped = wrappedAic(values['aic-token'], context.local)
      const account = await context.account()
      const { chainId } = context
      screen.wait('reading the chain')
      const { transaction, network } = await wrapAic({
        ...{ rpcUrl, account, wrapped, amount, undo, chainId },
        onSend: (hash) => {
          screen.line(`  sending ${hash}`)
          screen.wait('waiting for the chain')
        },
      })
      const done = { amount: formatAmount(amount, AIC_DECIMALS), from: account.address, network, wrapped, transaction }
      screen.done(`${undo ? 'unwrapped' : 'wrapped'} on ${networkName(network)}`)
      if (isJson) printJson(done)
      else printLine(transaction)
    })
  },
}

function aicAmount(text: string | undefined): bigint {
  if (text === undefined) throw new UsageError(`How much? ${PROGRAM} wrap 100`)
  const amount = parse(text)
  if (amount === 0n)
    throw new UsageError(`${text}: give an amount of AIC above 0 with at most ${AIC_DECIMALS} decimals`)
  return amount
}

function parse(text: string): bigint {
  try {
    return parseAmount(text, AIC_DECIMALS)
  } catch {
    return 0n
  }
}
