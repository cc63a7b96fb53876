import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { DEV_NETWORK } from '../../protocol/networks.ts'
import { amountText } from '../node/amount.ts'
import { ReceiptError, UsageError } from '../node/errors.ts'
import { findLocalStack } from '../node/local-stack.ts'
import { publishedSigner, verifyOutputs, verifyReceipt } from '../node/receipt.ts'
import { verifyTransfer } from '../node/transfer.ts'
import { findX402Receipt, verifyX402Receipt } from '../node/x402-receipt.ts'
import { type Coinslot, createCoinslot } from '../src/coinslot.ts'
import { parseJson } from '../src/json-fields.ts'
import { printJson, printLine } from './command.ts'

/** The facts that a receipt in a file is checked by, besides its own signature. */
interface Checks {
  /** Who must have signed it; undefined: the signer of `origin`, or anyone. */
  signer: Hex | undefined
  origin: string | undefined
  /** The node that is asked for the payment. */
  rpc: string | undefined
}

/** Checks the signature of the receipt in a file, and what the flags name. */
export async function verifyFile(
  file: string,
  outputs: readonly string[],
  { origin, rpc, ...checks }: Checks,
  isJson: boolean,
): Promise<void> {
  const text = (await read(file)).toString('utf8')
  const signer = checks.signer ?? (origin === undefined ? undefined : await signerOf(createCoinslot({ origin })))
  const ofX402 = findX402Receipt(text)
  if (ofX402 !== undefined) {
    if (outputs.length > 0 || rpc !== undefined)
      throw new UsageError(
        "x402's own receipt names no outputs and no amount: verify it without files and without --rpc.",
      )
    return verifyOfX402(ofX402, signer, isJson)
  }
  const { receipt, signedBy } = await verifyReceipt(parseJson(text), signer)
  if (outputs.length > 0) verifyOutputs(receipt, await Promise.all(outputs.map(read)))
  if (rpc !== undefined) await verifyTransfer(receipt, rpc)
  const { message } = receipt
  const verified = { outputsVerified: outputs.length > 0, paymentVerified: rpc !== undefined }
  if (isJson) return printJson({ signedBy, ...verified, receipt: message })
  const local = message.network === DEV_NETWORK ? await findLocalStack() : null
  const onChain = verified.paymentVerified ? 'is on the chain' : 'not looked for: name a node with --rpc'
  printSigner(signedBy, signer)
  printLine(`paid        ${amountText(message, local)} on ${message.network}, by ${message.payer}`)
  printLine(`transaction ${message.transaction} ${onChain}`)
  printLine(`for         ${message.id}, ${message.model}, ${message.completedAt}`)
  printLine(`outputs     ${outputs.length > 0 ? 'are those that were delivered' : 'not looked at: name their files'}`)
}

async function verifyOfX402(json: unknown, signer: Hex | undefined, isJson: boolean): Promise<void> {
  const { receipt, signedBy } = await verifyX402Receipt(json, signer)
  const { payload } = receipt
  if (isJson) return printJson({ signedBy, outputsVerified: false, paymentVerified: false, receipt: payload })
  printSigner(signedBy, signer)
  printLine(`paid        on ${payload.network}, by ${payload.payer}`)
  printLine(`transaction ${payload.transaction} not looked for: x402's own receipt names no amount`)
  printLine(`for         ${payload.resourceUrl}, ${new Date(payload.issuedAt * 1_000).toISOString()}`)
}

const printSigner = (signedBy: Hex, signer: Hex | undefined): void =>
  printLine(`signed by   ${signedBy}${signer === undefined ? ' (compare it with what the service publishes)' : ''}`)

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

/** The signer of receipts that the service publishes. */
export async function signerOf(coinslot: Coinslot): Promise<Hex> {
  const signer = publishedSigner(await coinslot.service())
  if (signer === undefined) throw new ReceiptError('the service does not say who signs its receipts; give --signer')
  return signer
}
