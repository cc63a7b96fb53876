import { amountText } from '../../node/amount.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { fieldsAt, isFields, parseJson, textAt } from '../../src/shape.ts'
import type { PendingPayment } from '../../src/store.ts'
import { atDesk, type Command, printJson, printLine, printTable } from '../command.ts'
import { UsageError } from '../exit.ts'
import { readFlags } from '../flags.ts'
import { PROGRAM } from '../program.ts'

const HELP = `  --forget ID …   give these up: they are not sent again from here. Until its validity ends the service may still
                  charge such a payment; what was charged shows in the history, with its result.
A kept payment is gone on with by \`run --resume\`; one that lapsed unused is dropped then.
`

export const payments: Command = {
  summary: 'list signed payments whose result is not here yet, or give some up',
  usage: 'payments [--forget ID …]',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = readFlags(args, { forget: { type: 'boolean' } })
    if (values.forget !== true && positionals.length > 0) throw new UsageError('Give `payments --forget ID …`.')
    await atDesk(values, async ({ desk, screen, isJson }) => {
      const coinslot = desk.coinslot(await desk.account())
      const kept = await coinslot.unfinished()
      if (values.forget === true) return forget(coinslot, kept, positionals, isJson)
      if (isJson) return printJson(kept.map(inShort))
      if (kept.length === 0) return screen.line('No payment is kept: every result is here.')
      printTable(kept.map((payment) => rowOf(payment, amountText(payment, desk.local))))
      screen.line(`go on with them: ${PROGRAM} run --resume`)
    })
  },
}

async function forget(
  coinslot: Coinslot,
  kept: readonly PendingPayment[],
  ids: readonly string[],
  isJson: boolean,
): Promise<void> {
  const strange = ids.find((id) => !kept.some((payment) => payment.id === id))
  if (strange !== undefined)
    throw new UsageError(`No payment ${strange} is kept here; \`${PROGRAM} payments\` lists them.`)
  if (ids.length === 0) throw new UsageError('Which ones? Name their ids.')
  for (const id of ids) await coinslot.forget(id)
  if (isJson) printJson({ forgotten: ids })
  else for (const id of ids) printLine(`${id} is forgotten`)
}

function inShort({ header: _, body, ...rest }: PendingPayment) {
  return { ...rest, request: parseJson(body) }
}

function rowOf(payment: PendingPayment, amount: string): string[] {
  const request = parseJson(payment.body)
  const input = isFields(request) ? fieldsAt(request, 'input') : {}
  const words = textAt(input, 'prompt') ?? textAt(input, 'text') ?? ''
  return [payment.id, amount, `valid until ${timeOf(payment.validBefore)}`, words.slice(0, 40)]
}

const timeOf = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
