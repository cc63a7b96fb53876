import { parseArgs } from 'node:util'
import { type Hex, isAddress } from 'viem'

export const HELP = `npm run receipt:verify -- FILE [OUTPUT …] [flags]

Holds a receipt against what it says, without trust in whoever gave it. OUTPUT: the files that were delivered, in their
order; without them they are fetched from where the receipt says they are.

  --signer ADDR   who must have signed it
  --origin URL    the service that must have signed it; default: the one the receipt names
  --rpc URL       also look for the payment on its chain, at this node (default: of the local stack for its own receipts)
`

export interface Options {
  file: string
  outputs: string[]
  signer?: Hex
  origin?: string
  rpc?: string
}

/** Reads the command line; a text to print instead where it cannot be obeyed. */
export function readOptions(argv: readonly string[]): Options | string {
  const options = { signer: { type: 'string' }, origin: { type: 'string' }, rpc: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
  const [file, ...outputs] = positionals
  const { signer, origin, rpc } = values
  if (file === undefined) return HELP
  if (signer !== undefined && !isAddress(signer)) return `--signer ${signer}: give an address\n\n${HELP}`
  return { file, outputs, ...(signer && { signer }), ...(origin && { origin }), ...(rpc && { rpc }) }
}
