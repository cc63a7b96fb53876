import type { Output } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { keepDigests } from '../../../db/queries/record-inference.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../../lib/digest.ts'
import { StorageUnavailable } from '../../upstreams/store/object-store.ts'
import type { RequestDeps } from '../deps.ts'
import { storedKey } from '../purchase/views/present.ts'
import { inSlot } from '../rate-limits/read-costs.ts'

/**
 * SHA-256 of each output, 64 hex digits, in their order. What was not known when the files were stored is read from the store
 * now, and kept. Throws `AppError` `model_unavailable` while the store cannot be read or others are being read, `not_found` when a file is gone.
 */
export async function outputDigests(deps: RequestDeps, payment: Payment, output: Output): Promise<string[]> {
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
