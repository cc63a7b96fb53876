import { amountText, usdcText } from '../../node/amount.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { fromHeader } from '../../src/encoding.ts'
import { fieldsAt, isFields, parseJson, textAt } from '../../src/json-fields.ts'
import { isUsdc } from '../../src/purchase/choose.ts'
import type { PendingPayment } from '../../src/store.ts'
import { type Command, printJson, printLine, printTable, withContext } from '../command.ts'
import { MANY, readFlags, UsageError } from '../flags.ts'
import { PROGRAM } from '../terminal.ts'

const HELP = `  --forget ID …   give these up: they are not sent again from here. Not while one may still be charged, ten minutes at
                  most from its signature; what was charged shows in the history, with its result
  --force         also while it may still be charged
A kept payment is gone on with by \`run --resume\`; one that lapsed unused is dropped then.
`

export const payments: Command = {
  summary: 'list signed payments whose result is not here yet, or give some up',
  usage: 'payments [--forget ID … [--force]]',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = readFlags(args, { forget: { type: 'boolean' }, force: { type: 'boolean' } }, MANY)
    if (values.forget !== true && positionals.length > 0)
      throw new UsageError(`Give \`${PROGRAM} payments --forget ID …\`.`)
    await withContext(values, async ({ context, screen, isJson }) => {
      const coinslot = context.coinslot(await context.account())
      const kept = await coinslot.unfinished()
      if (values.forget === true) {
        const wanted = chosen(kept, positionals, values.force === true)
        return forget(coinslot, wanted, isJson)
      }
      if (isJson) return printJson(kept.map(inShort))
      if (kept.length === 0) return screen.line('No payment is kept: every result is here.')
      printTable(kept.map(rowOf))
      screen.line(`go on with them: ${PROGRAM} run --resume\ngive one up: ${PROGRAM} payments --forget ID`)
    })
  },
}

/** The named payments. Throws `UsageError` where one is not kept, or may still be charged and that was not said to be fine. */
function chosen(kept: readonly PendingPayment[], ids: readonly string[], isForced: boolean): PendingPayment[] {
  if (ids.length === 0) throw new UsageError('Which ones? Name their ids.')
  return ids.map((id) => {
    const payment = kept.find((one) => one.id === id)
    if (payment === undefined)
      throw new UsageError(`No payment ${id} is kept here; \`${PROGRAM} payments\` lists them. Nothing was forgotten.`)
    if (!isForced && isLive(payment)) {
      throw new UsageError(
        `${id} may still be charged until ${timeOf(payment.validBefore)}. Go on with it (${PROGRAM} run --resume ${id}), ` +
          'come back then, or say --force. Nothing was forgotten.',
      )
    }
    return payment
  })
}

async function forget(coinslot: Coinslot, payments: readonly PendingPayment[], isJson: boolean): Promise<void> {
  for (const { id } of payments) await coinslot.forget(id)
  if (isJson) printJson({ forgotten: payments.map(({ id }) => id) })
  else for (const { id } of payments) printLine(`${id} is forgotten`)
}

function inShort({ header: _, body, ...rest }: PendingPayment) {
  return { ...rest, request: parseJson(body) }
}

function rowOf(payment: PendingPayment): string[] {
  const request = parseJson(payment.body)
  const input = isFields(request) ? fieldsAt(request, 'input') : {}
  const words = textAt(input, 'prompt') ?? textAt(input, 'text') ?? ''
  const validity = `${isLive(payment) ? 'valid until' : 'lapsed at'} ${timeOf(payment.validBefore)}`
  return [payment.id, amountOf(payment), validity, words.slice(0, 40)]
}

/** By the same judgement as when it was signed: USDC, or another token. */
function amountOf(payment: PendingPayment): string {
  const sent = fromHeader(payment.header)
  const version = textAt(fieldsAt(fieldsAt(isFields(sent) ? sent : {}, 'accepted'), 'extra'), 'version') ?? ''
  return isUsdc({ ...payment, version }) ? usdcText(payment.amount) : amountText(payment, null)
}

/** A block may be a little behind the clock. */
const GRACE_SECONDS = 60

const isLive = ({ validBefore }: PendingPayment): boolean => Date.now() / 1_000 < validBefore + GRACE_SECONDS

const timeOf = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
