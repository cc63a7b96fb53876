import { getAddress, type Hex } from 'viem'
import { privateKeyToAddress, signTypedData } from 'viem/accounts'
import type { InferenceRecord, Output } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { keepDigests } from '../../../db/queries/record-inference.ts'
import { RECEIPT_DOMAIN, RECEIPT_TYPES, type ReceiptMessage } from '../../../protocol/receipt.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../../lib/digest.ts'
import { StorageUnavailable } from '../../upstreams/store/object-store.ts'
import type { RequestDeps } from '../deps.ts'
import { bareHash, storedKey } from '../purchase/views/present.ts'
import { ownInference, type Viewer } from '../purchase/views/status.ts'
import { inSlot } from '../rate-limits/read-costs.ts'

/** The address that signs receipts; null where the deployment signs no receipts. */
export const receiptSigner = ({ receiptSigningKey }: Config): Hex | null =>
  receiptSigningKey === undefined ? null : privateKeyToAddress(receiptSigningKey)

/**
 * The signed receipt of a caller's succeeded inference, as EIP-712 data that any wallet library can check. The same one
 * whenever it is asked for. Throws `AppError` `inference_not_found`, or `not_found` where there is no receipt.
 */
export async function issueReceipt(deps: RequestDeps, viewer: Viewer, id: string) {
  const { payment, record } = await ownInference(deps, viewer, id)
  const key = deps.config.receiptSigningKey
  if (key === undefined) throw new AppError('not_found', { detail: 'This deployment signs no receipts.' })
  const { output } = record ?? {}
  if (record?.status !== 'succeeded' || !output) {
    throw new AppError('not_found', { detail: 'There is a receipt for an inference that succeeded only.' })
  }
  const message = messageOf(deps.config, payment, record, await outputDigests(deps, payment, output))
  const data = { domain: RECEIPT_DOMAIN, types: RECEIPT_TYPES, primaryType: 'Receipt' as const }
  const signature = await signTypedData({
    ...data,
    message: { ...message, amount: payment.amountAtomic },
    privateKey: key,
  })
  return { ...data, message, signer: privateKeyToAddress(key), signature, outputUrls: urlsOf(output) }
}

/** Where the outputs can be fetched, in the order of their digests; none of a text, which only its owner has. */
const urlsOf = (output: Output): string[] => (output.type === 'text' ? [] : output.urls)

function messageOf(
  config: Config,
  payment: Payment,
  record: InferenceRecord,
  digests: readonly string[],
): ReceiptMessage {
  return {
    service: config.publicOrigins[0],
    id: record.id,
    payer: getAddress(payment.payer),
    payTo: getAddress(payment.terms.payTo),
    network: `eip155:${payment.chainId}`,
    asset: getAddress(payment.asset),
    amount: payment.amountAtomic.toString(),
    nonce: payment.nonce,
    transaction: bareHash(payment.txHash) ?? '',
    task: record.task,
    model: record.model,
    requestDigest: `0x${payment.requestHash}`,
    outputDigests: digests.map((digest): Hex => `0x${digest}`),
    createdAt: record.createdAt.toISOString(),
    completedAt: (record.completedAt ?? record.createdAt).toISOString(),
  }
}

/**
 * SHA-256 of each output, 64 hex digits, in their order. What was not known when the files were stored is read from the store
 * now, and kept. Throws `AppError` `model_unavailable` while the store cannot be read or others are being read, `not_found` when a file is gone.
 */
async function outputDigests(deps: RequestDeps, payment: Payment, output: Output): Promise<string[]> {
  if (output.type === 'text') return [await sha256(output.text)]
  const known = payment.outputDigests ?? []
  const digests: string[] = []
  // One after the other: a file may have 50 MiB.
  for (const [index, url] of output.urls.entries()) digests.push(known[index] ?? (await digestOf(deps, payment, url)))
  if (digests.some((digest, index) => digest !== known[index])) await keepDigests(deps.database, payment, digests)
  return digests
}

/** Hashes one stored file. */
function digestOf(deps: RequestDeps, payment: Payment, url: string): Promise<string> {
  return inSlot(deps, 'digested files', payment.payer, () => readDigest(deps, payment, url))
}

const unreadable = (reason: string, cause?: unknown): AppError =>
  new AppError(
    'model_unavailable',
    { detail: `${reason} The payment and the result are safe.`, paymentState: 'settled', retryAfterSeconds: 5 },
    { cause },
  )

async function readDigest(deps: RequestDeps, payment: Payment, url: string): Promise<string> {
  const digest = await deps.store.sha256(storedKey(payment, url)).catch((cause: unknown) => {
    if (!(cause instanceof StorageUnavailable)) throw cause
    throw unreadable('The stored output cannot be read now.', cause)
  })
  if (digest === null) throw new AppError('not_found', { detail: 'The stored output of this inference is gone.' })
  return digest
}
