import { choiceFlag, hexFlag, integerFlag, MANY, parseFlags } from '../../client/cli/flags.ts'
import { UsageError } from '../../client/node/errors.ts'
import type { PaymentFilter } from '../../db/queries/admin.ts'
import { paymentState } from '../../db/schema/columns.ts'

const STATES = paymentState.enumValues
export type State = (typeof STATES)[number]

interface Source {
  envFile?: string
  json: boolean
}

/** The command of an operator. */
export type PaymentsCommand =
  | ({ command: 'list'; state: State | null; stuck: boolean; limit: number; filter: PaymentFilter } & Source)
  | ({ command: 'show' | 'retry'; id: string } & Source)
  | ({ command: 'resolve'; id: string; note: string } & Source)

export const HELP = `npm run payments -- list [--state S] [--payer ADDRESS] [--transaction HASH] [--unresolved] [--stuck] [--limit N]
                    show ID
                    retry ID
                    resolve ID --note "…"

Lists payments and what became of them, from the journal at DATABASE_URL (of this shell, else of the running local stack, else
of .dev.vars). ID is the id of a payment or of an inference. Prompts and outputs are never shown.

  list     payments, newest first; S is one of ${STATES.join(', ')};
           --unresolved leaves out owed ones whose refund was noted;
           --stuck shows only unknown ones that expired over an hour ago: the chain should have decided them
  show     one payment, its record, and what the chain says about it, by the rules of the service
  retry    the next scheduled job takes an unfinished payment up, and runs an owed one again
           unless its run succeeded or its refund was noted
  resolve  notes how an owed payment was refunded by hand; it is not run again after that. The buyer sees that it was
           refunded, and the first transaction hash of the note; the rest of the note stays here

  --env-file FILE  the variables in FILE (NAME=value lines)
  --json           one JSON object
`

const OPTIONS = {
  state: { type: 'string' },
  limit: { type: 'string' },
  payer: { type: 'string' },
  transaction: { type: 'string' },
  unresolved: { type: 'boolean' },
  stuck: { type: 'boolean' },
  note: { type: 'string' },
  'env-file': { type: 'string' },
  json: { type: 'boolean' },
} as const

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MAX_NOTE = 500

/** Reads the command line. Throws `UsageError`. */
export function parsePaymentsFlags(argv: readonly string[]): PaymentsCommand {
  const { values, positionals } = parseFlags(argv, OPTIONS, MANY)
  const [command, id = '', ...rest] = positionals
  if (command === undefined) throw new UsageError(HELP.trimEnd())
  if (rest.length > 0) throw new UsageError(`Too many words: ${rest.join(' ')}`)
  const envFile = values['env-file']
  const source: Source = { json: values.json ?? false, ...(envFile !== undefined && { envFile }) }
  switch (command) {
    case 'list': {
      if (id !== '') throw new UsageError('list takes no ID: use show')
      return {
        command,
        state: stateOf(values),
        stuck: values.stuck ?? false,
        limit: integerFlag('--limit', values.limit ?? '50', { max: 1000 }),
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
      throw new UsageError(`There is no command ${command}. Commands: list, show, retry, resolve`)
  }
}

type Values = ReturnType<typeof parseFlags<typeof OPTIONS>>['values']

function stateOf({ state, stuck }: Values): State | null {
  if (stuck && state !== undefined) throw new UsageError('--stuck shows unknown payments: leave --state out')
  if (stuck) return 'unknown'
  return state === undefined ? null : choiceFlag('--state', state, STATES)
}

function filterOf({ payer, transaction, unresolved }: Values): PaymentFilter {
  return {
    ...(payer !== undefined && { payer: hexFlag('--payer', payer, 40).toLowerCase() }),
    ...(transaction !== undefined && { transaction: hexFlag('--transaction', transaction, 64).toLowerCase() }),
    ...(unresolved !== undefined && { unresolved }),
  }
}

function idOf(text: string): string {
  if (!UUID.test(text)) throw new UsageError('Give the ID of a payment or of an inference, as list shows it.')
  return text.toLowerCase()
}

function noteOf(text: string | undefined): string {
  const note = text?.trim() ?? ''
  if (note !== '' && note.length <= MAX_NOTE) return note
  throw new UsageError(`resolve needs --note with 1 to ${MAX_NOTE} characters: how and when it was refunded`)
}
