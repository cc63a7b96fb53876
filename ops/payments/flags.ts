import { parseArgs } from 'node:util'
import type { PaymentFilter } from '../../db/queries/admin.ts'
import { paymentState } from '../../db/schema/columns.ts'
import { UsageError } from '../../dev/stack/flags.ts'

const STATES = paymentState.enumValues
export type State = (typeof STATES)[number]

interface Source {
  envFile?: string
  json: boolean
}

/** What an operator asked for. */
export type PaymentsFlags =
  | { command: 'help'; text: string }
  | ({ command: 'list'; state: State | null; limit: number; filter: PaymentFilter } & Source)
  | ({ command: 'show' | 'retry'; id: string } & Source)
  | ({ command: 'resolve'; id: string; note: string } & Source)

export type PaymentsCommand = Exclude<PaymentsFlags, { command: 'help' }>

const HELP = `npm run payments -- list [--state S] [--payer ADDRESS] [--transaction HASH] [--unresolved] [--limit N]
                    show ID
                    retry ID
                    resolve ID --note "…"

What was paid, and what came of it, from the journal at DATABASE_URL (of this shell, else of the local stack that runs, else of
.dev.vars). ID is a payment's or an inference's. No prompts and no outputs are shown.

  list     journal rows, newest first; S is one of ${STATES.join(', ')};
           --unresolved leaves out owed ones whose refund was noted
  show     one row, its record, and what the chain says of it
  retry    an unfinished payment is looked at by the next scheduled job; an owed one is run again,
           unless its run succeeded or its refund was noted
  resolve  notes how an owed payment was refunded by hand; it is not run again after that

  --env-file FILE  the variables in FILE (NAME=value lines)
  --json           one JSON object
`

const OPTIONS = {
  state: { type: 'string' },
  limit: { type: 'string' },
  payer: { type: 'string' },
  transaction: { type: 'string' },
  unresolved: { type: 'boolean' },
  note: { type: 'string' },
  'env-file': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MAX_NOTE = 500

/** Reads the command line. Throws `UsageError` where it cannot be obeyed. */
export function parsePaymentsFlags(argv: readonly string[]): PaymentsFlags {
  const { values, positionals } = parse(argv)
  const [command, id = '', ...rest] = positionals
  if (values.help || command === undefined) return { command: 'help', text: HELP }
  if (rest.length > 0) throw new UsageError(`too many words: ${rest.join(' ')}`)
  const envFile = values['env-file']
  const source: Source = { json: values.json ?? false, ...(envFile !== undefined && { envFile }) }
  switch (command) {
    case 'list': {
      if (id !== '') throw new UsageError('list takes no ID; use show')
      return {
        command,
        state: stateOf(values.state),
        limit: limitOf(values.limit),
        filter: filterOf(values),
        ...source,
      }
    }
    case 'show':
    case 'retry':
      return { command, id: idOf(id), ...source }
    case 'resolve':
      return { command, id: idOf(id), note: noteOf(values.note), ...source }
    default:
      throw new UsageError(`there is no command ${command}; there are list, show, retry and resolve`)
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

function stateOf(text: string | undefined): State | null {
  if (text === undefined) return null
  const state = STATES.find((known) => known === text)
  if (state === undefined) throw new UsageError(`--state ${text}: give one of ${STATES.join(', ')}`)
  return state
}

function filterOf({ payer, transaction, unresolved }: ReturnType<typeof parse>['values']): PaymentFilter {
  return {
    ...(payer !== undefined && { payer: hexOf('--payer', payer, 40) }),
    ...(transaction !== undefined && { transaction: hexOf('--transaction', transaction, 64) }),
    ...(unresolved !== undefined && { unresolved }),
  }
}

function hexOf(flag: string, text: string, digits: number): string {
  if (new RegExp(`^0x[0-9a-f]{${digits}}$`, 'i').test(text)) return text.toLowerCase()
  throw new UsageError(`${flag} ${text}: give 0x and ${digits} hexadecimal digits`)
}

function limitOf(text = '50'): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 1000) throw new UsageError(`--limit ${text}: give a whole number from 1 to 1000`)
  return limit
}

function idOf(text: string): string {
  if (!UUID.test(text)) throw new UsageError('give the ID of a payment or of an inference, as list shows it')
  return text.toLowerCase()
}

function noteOf(text: string | undefined): string {
  const note = text?.trim() ?? ''
  if (note !== '' && note.length <= MAX_NOTE) return note
  throw new UsageError(`resolve needs --note with 1 to ${MAX_NOTE} characters: how and when it was refunded`)
}
