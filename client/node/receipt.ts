import type { Hex } from 'viem'
import { isAddressEqual, recoverTypedDataAddress, sha256 } from 'viem/utils'
import * as z from 'zod'
import { RECEIPT_DOMAIN, RECEIPT_TYPES } from '../../protocol/receipt.ts'
import { ReceiptError } from './errors.ts'

export const hex = (digits: number) =>
  z.templateLiteral(['0x', z.string().regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`))])
export const address = hex(40)

const receiptSchema = z.object({
  domain: z.object({ name: z.literal(RECEIPT_DOMAIN.name), version: z.literal(RECEIPT_DOMAIN.version) }),
  message: z.object({
    service: z.string(),
    id: z.string(),
    payer: address,
    payTo: address,
    network: z.string(),
    asset: address,
    amount: z.string().regex(/^[1-9]\d{0,77}$/),
    nonce: hex(64),
    transaction: z.string(),
    task: z.string(),
    model: z.string(),
    requestDigest: hex(64),
    outputDigests: z.array(hex(64)),
    createdAt: z.string(),
    completedAt: z.string(),
  }),
  signature: hex(130),
  outputUrls: z.array(z.string()),
})
export type Receipt = z.infer<typeof receiptSchema>

/**
 * Reads a receipt and recovers its signer, without any request. Throws `ReceiptError` when it is invalid, or when the signer is not
 * `signer`.
 */
export async function verifyReceipt(json: unknown, signer?: Hex): Promise<{ receipt: Receipt; signedBy: Hex }> {
  const read = receiptSchema.safeParse(json)
  if (!read.success) {
    const { path = [], message = '' } = read.error.issues[0] ?? {}
    throw new ReceiptError(`this is not a receipt of version ${RECEIPT_DOMAIN.version}: ${path.join('.')}: ${message}`)
  }
  const { message, signature } = read.data
  const recovering = recoverTypedDataAddress({
    domain: RECEIPT_DOMAIN,
    types: RECEIPT_TYPES,
    primaryType: 'Receipt',
    message: { ...message, amount: BigInt(message.amount) },
    signature,
  })
  return { receipt: read.data, signedBy: await assertSignedBy(recovering, signer) }
}

/** The recovered signer. Throws `ReceiptError` where there is none, or where it is not `signer`. */
export async function assertSignedBy(recovering: Promise<Hex>, signer: Hex | undefined): Promise<Hex> {
  const signedBy = await recovering.catch(() => null)
  if (signedBy === null) throw new ReceiptError('the signature is invalid')
  if (signer === undefined || isAddressEqual(signedBy, signer)) return signedBy
  throw new ReceiptError(`the receipt was changed, or ${signedBy} signed it and not ${signer}`)
}

/** Compares delivered outputs with a receipt, in their order. Throws `ReceiptError` when a byte differs or an output is missing. */
export function verifyOutputs({ message }: Receipt, outputs: readonly Uint8Array[]): void {
  const expected = message.outputDigests
  if (outputs.length !== expected.length) {
    throw new ReceiptError(`the receipt is for ${expected.length} output(s), and ${outputs.length} were given`)
  }
  for (const [index, output] of outputs.entries()) {
    const digest = sha256(output)
    if (digest !== expected[index]?.toLowerCase()) {
      throw new ReceiptError(`output ${index + 1} is not what was delivered: its SHA-256 is ${digest}`)
    }
  }
}

/** Throws `ReceiptError` when the receipt is of another service than that at `origin`. One key may sign for several. */
export function assertReceiptOf({ message }: Receipt, origin: string): void {
  if (message.service !== origin) throw new ReceiptError(`the receipt is of ${message.service}, and not of ${origin}`)
}

const serviceSchema = z.object({ origin: z.string(), receipts: z.object({ signer: address }) })

/** Who signs receipts, and for which origin, in the content of `/.well-known/coinslot.json`; undefined where no one does. */
export function publishedService(service: unknown): { origin: string; signer: Hex } | undefined {
  const parsed = serviceSchema.safeParse(service)
  return parsed.success ? { origin: parsed.data.origin, signer: parsed.data.receipts.signer } : undefined
}

/** The same signer alone. */
export const publishedSigner = (service: unknown): Hex | undefined => publishedService(service)?.signer
