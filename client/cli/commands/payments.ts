import { fromHeader } from '../../../protocol/base64.ts'
import { amountText, usdcText } from '../../node/amount.ts'
import { UsageError } from '../../node/errors.ts'
import { PROGRAM } from '../../node/program.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { startOf } from '../../src/excerpt.ts'
import { fieldsAt, isFields, parseJson, textAt } from '../../src/json-fields.ts'
import { isUsdc } from '../../src/purchase/choose.ts'
import type { PendingPayment } from '../../src/store.ts'
import { type Command, printJson, printLine, printTable, withContext } from '../command.ts'
import { MANY, readFlags } from '../flags.ts'

const HELP = `  --forget ID …   delete these, so that they are not sent again. Refused while one may still be charged, at most ten minutes
                  after its signature. What was charged is in the history, with its result
  --force         delete them even while they may still be charged
\`run --resume\` continues with kept payments, and drops those that expired unused.
`

export const payments: Command = {
  summary: 'list signed payments without a result, or delete some',
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
        const selected = select(kept, positionals, values.force === true)
        return forget(coinslot, selected, isJson)
      }
      if (isJson) return printJson(kept.map(inShort))
      if (kept.length === 0) return screen.line('No payment is kept: each has its result.')
      printTable(kept.map(rowOf))
      screen.line(`continue: ${PROGRAM} run --resume\ndelete one: ${PROGRAM} payments --forget ID`)
    })
  },
}

/** The payments with these ids. Throws `UsageError` for one that is not kept, or may still be charged without `--force`. */
function select(kept: readonly PendingPayment[], ids: readonly string[], isForced: boolean): PendingPayment[] {
  if (ids.length === 0) throw new UsageError('The ids are missing.')
  return ids.map((id) => {
    const payment = kept.find((one) => one.id === id)
    if (payment === undefined)
      throw new UsageError(`No payment ${id} is kept here; \`${PROGRAM} payments\` lists them. Nothing was deleted.`)
    if (!isForced && isLive(payment)) {
      throw new UsageError(
        `${id} may still be charged until ${timeOf(payment.validBefore)}. Continue with it (${PROGRAM} run --resume ${id}), ` +
          'wait until then, or add --force. Nothing was deleted.',
      )
    }
    return payment
  })
}

async function forget(coinslot: Coinslot, payments: readonly PendingPayment[], isJson: boolean): Promise<void> {
  for (const { id } of payments) await coinslot.forget(id)
  if (isJson) printJson({ forgotten: payments.map(({ id }) => id) })
  else for (const { id } of payments) printLine(`${id} is deleted`)
}

function inShort({ header: _, body, ...rest }: PendingPayment) {
  return { ...rest, request: parseJson(body) }
}

function rowOf(payment: PendingPayment): string[] {
  const request = parseJson(payment.body)
  const input = isFields(request) ? fieldsAt(request, 'input') : {}
  const words = textAt(input, 'prompt') ?? textAt(input, 'text') ?? ''
  const validity = `${isLive(payment) ? 'valid until' : 'expired at'} ${timeOf(payment.validBefore)}`
  return [payment.id, amountOf(payment), validity, startOf(words, 40)]
}

/** Decides as at the signature whether it is USDC. */
function amountOf(payment: PendingPayment): string {
  const sent = fromHeader(payment.header)
  const version = textAt(fieldsAt(fieldsAt(isFields(sent) ? sent : {}, 'accepted'), 'extra'), 'version') ?? ''
  return isUsdc({ ...payment, version }) ? usdcText(payment.amount) : amountText(payment, null)
}

/** The time of a block may be behind the clock. */
const GRACE_SECONDS = 60

const isLive = ({ validBefore }: PendingPayment): boolean => Date.now() / 1_000 < validBefore + GRACE_SECONDS

const timeOf = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
