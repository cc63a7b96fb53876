import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { amountText } from '../../node/amount.ts'
import { findLocalStack } from '../../node/local-stack.ts'
import { publishedSigner, type Receipt, ReceiptError, verifyOutputs, verifyReceipt } from '../../node/receipt.ts'
import { verifyTransfer } from '../../node/transfer.ts'
import { type Coinslot, createCoinslot } from '../../src/coinslot.ts'
import { parseJson } from '../../src/json-fields.ts'
import { DEV_NETWORK } from '../../src/networks.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import { download } from '../download.ts'
import { hexFlag, MANY, originFlag, readFlags, UsageError, urlFlag } from '../flags.ts'
import { save } from '../output.ts'
import { PROGRAM } from '../terminal.ts'

const HELP = `  --out FILE      write the receipt there instead of to stdout
  --force         replace FILE if it exists
  --verify FILE   check a receipt, and the files that were delivered, in their order; makes no call without the next flags
  --signer ADDR   who must have signed it; /.well-known/coinslot.json of the service names its signer
  --origin URL    with --verify: take the signer from that service
  --rpc URL       also find the payment on its chain, at this node
`

const OPTIONS = {
  out: { type: 'string' },
  force: { type: 'boolean' },
  verify: { type: 'string' },
  signer: { type: 'string' },
  rpc: { type: 'string' },
} as const

/** What a receipt in a file is checked against, besides its own signature. */
interface Checks {
  /** Who must have signed it; undefined: the signer of `origin`, or anyone. */
  signer: Hex | undefined
  origin: string | undefined
  /** The node that is asked for the payment. */
  rpc: string | undefined
}

export const receipt: Command = {
  summary: 'get the signed receipt of an inference, or verify one with no trust in the service',
  usage:
    'receipt ID [--out FILE [--force]] [--rpc URL]\n       coinslot receipt --verify FILE [OUTPUT …] [--signer ADDR] [--origin URL] [--rpc URL]',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = readFlags(args, OPTIONS, MANY)
    const signer = values.signer === undefined ? undefined : hexFlag('--signer', values.signer, 40)
    const rpc = values.rpc === undefined ? undefined : urlFlag('--rpc', values.rpc)
    if (values.verify !== undefined) {
      const origin = values.origin === undefined ? undefined : originFlag('--origin', values.origin)
      return verifyFile(values.verify, positionals, { signer, origin, rpc }, values.json === true)
    }
    const [id, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many words: one id at a time.')
    if (id === undefined) throw new UsageError(`Which one? \`${PROGRAM} history\` lists their ids.`)
    await withContext(values, async ({ context, screen, isJson }) => {
      const coinslot = context.coinslot(await context.account())
      const json = await coinslot.receipt(id)
      const { receipt: found, signedBy } = await verifyReceipt(json, signer ?? (await signerOf(coinslot)))
      screen.done(`signed by ${signedBy}`)
      verifyOutputs(found, await outputsOf(coinslot, context.origin, found))
      screen.done('the outputs are those that were delivered')
      if (rpc !== undefined) {
        await verifyTransfer(found, rpc)
        screen.done('the payment is on the chain')
      }
      if (values.out !== undefined) await save(values.out, `${JSON.stringify(json, null, 2)}\n`, values.force)
      if (isJson) printJson(json)
      else printLine(values.out ?? JSON.stringify(json, null, 2))
    })
  },
}

/** Checks the signature, and what the flags name. */
async function verifyFile(
  file: string,
  outputs: readonly string[],
  { origin, rpc, ...checks }: Checks,
  isJson: boolean,
): Promise<void> {
  const signer = checks.signer ?? (origin === undefined ? undefined : await signerOf(createCoinslot({ origin })))
  const { receipt: found, signedBy } = await verifyReceipt(parseJson((await read(file)).toString('utf8')), signer)
  if (outputs.length > 0) verifyOutputs(found, await Promise.all(outputs.map(read)))
  if (rpc !== undefined) await verifyTransfer(found, rpc)
  const { message } = found
  const verified = { outputsVerified: outputs.length > 0, paymentVerified: rpc !== undefined }
  if (isJson) return printJson({ signedBy, ...verified, receipt: message })
  const local = message.network === DEV_NETWORK ? await findLocalStack() : null
  const onChain = verified.paymentVerified ? 'is on the chain' : 'not looked for: name a node with --rpc'
  printLine(`signed by   ${signedBy}${signer === undefined ? ' (compare it with what the service publishes)' : ''}`)
  printLine(`paid        ${amountText(message, local)} on ${message.network}, by ${message.payer}`)
  printLine(`transaction ${message.transaction} ${onChain}`)
  printLine(`for         ${message.id}, ${message.model}, ${message.completedAt}`)
  printLine(`outputs     ${outputs.length > 0 ? 'are those that were delivered' : 'not looked at: name their files'}`)
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

/** The signer of receipts that the service publishes. */
async function signerOf(coinslot: Coinslot): Promise<Hex> {
  const signer = publishedSigner(await coinslot.service())
  if (signer === undefined) throw new ReceiptError('the service does not say who signs its receipts; give --signer')
  return signer
}

async function outputsOf(coinslot: Coinslot, origin: string, { message, outputUrls }: Receipt): Promise<Uint8Array[]> {
  if (message.task !== 'text-to-text')
    return Promise.all(outputUrls.map(async (url) => (await download(url, { origin })).bytes))
  const { output } = await coinslot.get(message.id)
  return output?.type === 'text' ? [new TextEncoder().encode(output.text)] : []
}
