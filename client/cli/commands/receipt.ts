import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import * as z from 'zod'
import { amountText } from '../../node/amount.ts'
import { findLocalStack } from '../../node/local-stack.ts'
import { type Receipt, ReceiptError, verifyOutputs, verifyReceipt } from '../../node/receipt.ts'
import type { Coinslot } from '../../src/coinslot.ts'
import { parseJson } from '../../src/json-fields.ts'
import { DEV_NETWORK } from '../../src/networks.ts'
import { type Command, printJson, printLine, withContext } from '../command.ts'
import { MANY, readFlags, UsageError } from '../flags.ts'
import { download, save } from '../output.ts'
import { PROGRAM } from '../terminal.ts'

const HELP = `  --out FILE      write the receipt there instead of to stdout
  --verify FILE   hold a receipt against the files that were delivered; calls nobody
  --signer ADDR   who must have signed it; /.well-known/coinslot.json of the service says who does
`

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])

export const receipt: Command = {
  summary: 'get the signed receipt of an inference, or verify one with no trust in the service',
  usage: 'receipt ID [--out FILE]\n       coinslot receipt --verify FILE [--signer ADDR] [OUTPUT …]',
  help: HELP,
  run: async (args) => {
    const options = { out: { type: 'string' }, verify: { type: 'string' }, signer: { type: 'string' } } as const
    const { values, positionals } = readFlags(args, options, MANY)
    const signer = values.signer === undefined ? undefined : signerFlag(values.signer)
    if (values.verify !== undefined) return verifyFile(values.verify, signer, positionals, values.json === true)
    const [id, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many words: one id at a time.')
    if (id === undefined) throw new UsageError(`Which one? \`${PROGRAM} history\` lists their ids.`)
    await withContext(values, async ({ context, screen, isJson }) => {
      const coinslot = context.coinslot(await context.account())
      const json = await coinslot.receipt(id)
      const { receipt: found, signedBy } = await verifyReceipt(json, signer ?? (await signerOf(coinslot)))
      screen.done(`signed by ${signedBy}`)
      verifyOutputs(found, await outputsOf(coinslot, found))
      screen.done('the outputs are those that were delivered')
      if (values.out !== undefined) await save(values.out, `${JSON.stringify(json, null, 2)}\n`)
      if (isJson) printJson(json)
      else printLine(values.out ?? JSON.stringify(json, null, 2))
    })
  },
}

function signerFlag(text: string): Hex {
  const signer = address.safeParse(text)
  if (!signer.success) throw new UsageError(`--signer ${text}: give an address`)
  return signer.data
}

async function verifyFile(
  file: string,
  signer: Hex | undefined,
  outputs: readonly string[],
  isJson: boolean,
): Promise<void> {
  const { receipt: found, signedBy } = await verifyReceipt(parseJson((await read(file)).toString('utf8')), signer)
  if (outputs.length > 0) verifyOutputs(found, await Promise.all(outputs.map(read)))
  const { message } = found
  if (isJson) return printJson({ signedBy, outputsVerified: outputs.length > 0, receipt: message })
  const local = message.network === DEV_NETWORK ? await findLocalStack() : null
  printLine(`signed by   ${signedBy}${signer === undefined ? ' (compare it with what the service publishes)' : ''}`)
  printLine(`paid        ${amountText(message, local)} on ${message.network}, by ${message.payer}`)
  printLine(`transaction ${message.transaction}`)
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

const factsSchema = z.object({ receipts: z.object({ signer: address }).nullable() })

/** Who signs the service's receipts, in its own words. */
async function signerOf(coinslot: Coinslot): Promise<Hex> {
  const facts = factsSchema.safeParse(await coinslot.service())
  const signer = facts.success ? facts.data.receipts?.signer : undefined
  if (signer === undefined) throw new ReceiptError('the service does not say who signs its receipts; give --signer')
  return signer
}

async function outputsOf(coinslot: Coinslot, { message, outputUrls }: Receipt): Promise<Uint8Array[]> {
  if (message.task !== 'text-to-text') return Promise.all(outputUrls.map(async (url) => (await download(url)).bytes))
  const { output } = await coinslot.get(message.id)
  return output?.type === 'text' ? [new TextEncoder().encode(output.text)] : []
}
