import { parseArgs } from 'node:util'
import { type Hex, isAddress } from 'viem'
import { UsageError } from '../../client/cli/flags.ts'

export const HELP = `npm run receipt:verify -- FILE [OUTPUT …] [flags]

Holds a receipt against what it says, without trust in whoever gave it. OUTPUT: the files that were delivered, in their
order; without them they are fetched from where the receipt says they are.

  --signer ADDR   who must have signed it
  --origin URL    the service that must have signed it; default: the one the receipt names
  --rpc URL       also look for the payment on its chain, at this node (default: of the local stack for its own receipts)
  --help          this text
`

export interface Options {
  file: string
  outputs: string[]
  signer?: Hex
  origin?: string
  rpc?: string
}

const OPTIONS = {
  signer: { type: 'string' },
  origin: { type: 'string' },
  rpc: { type: 'string' },
  help: { type: 'boolean' },
} as const

/** Reads the command line; null where only the help is wanted. Throws `UsageError` where it cannot be obeyed. */
export function readOptions(argv: readonly string[]): Options | null {
  const { values, positionals } = parse(argv)
  const [file, ...outputs] = positionals
  const { signer, origin, rpc, help } = values
  if (help) return null
  if (file === undefined) throw new UsageError(`Which receipt?\n\n${HELP}`)
  if (signer !== undefined && !isAddress(signer)) throw new UsageError(`--signer ${signer}: give an address`)
  for (const [flag, url] of Object.entries({ origin, rpc }))
    if (url !== undefined && !/^https?:/.test(url)) throw new UsageError(`--${flag} ${url}: give a URL`)
  return { file, outputs, ...(signer && { signer }), ...(origin && { origin }), ...(rpc && { rpc }) }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}
