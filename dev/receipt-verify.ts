import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Hex } from 'viem'
import * as z from 'zod'
import { UsageError } from '../client/cli/flags.ts'
import { amountText } from '../client/node/amount.ts'
import { type Receipt, ReceiptError, verifyOutputs, verifyReceipt } from '../client/node/receipt.ts'
import { parseJson } from '../client/src/json-fields.ts'
import { HELP, type Options, readOptions } from './receipt/options.ts'
import { verifyTransfer } from './receipt/transfer.ts'
import { findRunningStack } from './stack/stack-info.ts'

const factsSchema = z.object({ receipts: z.object({ signer: z.templateLiteral(['0x', z.string()]) }) })
const claimSchema = z.object({ message: z.object({ service: z.url() }) })

/** npm runs its scripts in the repository, whichever folder the reader stands in. */
const { INIT_CWD: startedIn, npm_lifecycle_event: script } = process.env
const read = (file: string): Promise<Buffer> =>
  readFile(resolve(script === 'receipt:verify' && startedIn ? startedIn : '.', file)).catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read.`, { cause })
  })

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Who signs for a service, in the words of its own site over TLS. */
async function signerOf(origin: string): Promise<Hex> {
  const url = new URL('/.well-known/coinslot.json', origin).href
  const response = await fetch(url).catch(() => null)
  const facts = factsSchema.safeParse(await response?.json().catch(() => null))
  if (!facts.success) throw new ReceiptError(`${url} names no signer of receipts; give --signer`)
  return facts.data.receipts.signer
}

/** The delivered bytes: the files that were named, else what lies at the receipt's URLs. Null for a text without a file. */
async function outputsOf({ outputUrls }: Receipt, files: readonly string[]): Promise<Uint8Array[] | null> {
  if (files.length > 0) return Promise.all(files.map(read))
  if (outputUrls.length === 0) return null
  return Promise.all(
    outputUrls.map(async (url) => {
      const response = await fetch(url).catch(() => null)
      if (!response?.ok) throw new ReceiptError(`${url} answered ${response?.status ?? 'nothing'}: name the file`)
      return response.bytes()
    }),
  )
}

async function verify(options: Options): Promise<void> {
  const json = parseJson((await read(options.file)).toString('utf8'))
  const claim = claimSchema.safeParse(json)
  if (!claim.success) throw new ReceiptError(`${options.file} is not a receipt`)
  const service = options.origin ?? claim.data.message.service
  const { receipt, signedBy } = await verifyReceipt(json, options.signer ?? (await signerOf(service)))
  const { message } = receipt
  const stack = await findRunningStack()
  const local = stack?.origin === message.service ? stack : null
  say(`✓ signed by ${signedBy}${options.signer === undefined ? `, as ${service} says` : ''}`)
  say(`  ${message.payer} paid ${amountText(message, local)} on ${message.network}`)
  say(`  for ${message.model}, ${message.completedAt}, inference ${message.id}`)
  const outputs = await outputsOf(receipt, options.outputs)
  if (outputs !== null) verifyOutputs(receipt, outputs)
  say(outputs === null ? '- the text was not looked at: name its file' : '✓ the outputs are those that were delivered')
  const rpc = options.rpc ?? local?.rpcUrl
  if (rpc === undefined) return say('- the payment was not looked for: name a node with --rpc')
  await verifyTransfer(receipt, rpc)
  say(`✓ paid in ${message.transaction}`)
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options === null) process.stdout.write(HELP)
  else await verify(options)
} catch (error) {
  process.stderr.write(`✗ ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
