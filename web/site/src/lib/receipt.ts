import { isAddress, isHex, recoverTypedDataAddress } from 'viem'
import { RECEIPT_DOMAIN, RECEIPT_TYPES } from '../../../../protocol/receipt.ts'
import { type Fields, fields, list, maybeStr, str } from '../../../shared/shape.ts'

export interface CheckedReceipt {
  /** Address that signed exactly this receipt. */
  signer: string
  message: Fields
  /** SHA-256 of each output, lower-case hex with `0x`. */
  outputDigests: string[]
}

/** Reads a receipt file and recovers its signer. Throws if the receipt or its signature is malformed. */
export async function checkReceipt(text: string): Promise<CheckedReceipt> {
  const from = fields(JSON.parse(text), 'receipt')
  const message = fields(from['message'], 'message')
  const signature = str(from, 'signature')
  if (!isHex(signature)) throw new Error('the signature is not hex')
  const outputDigests = list(message, 'outputDigests', (digest) => hex(digest))
  const signer = await recoverTypedDataAddress({
    domain: RECEIPT_DOMAIN,
    types: RECEIPT_TYPES,
    primaryType: 'Receipt',
    message: {
      service: str(message, 'service'),
      id: str(message, 'id'),
      payer: address(message, 'payer'),
      payTo: address(message, 'payTo'),
      network: str(message, 'network'),
      asset: address(message, 'asset'),
      amount: BigInt(str(message, 'amount')),
      nonce: hex(message['nonce']),
      transaction: str(message, 'transaction'),
      task: str(message, 'task'),
      model: str(message, 'model'),
      requestDigest: hex(message['requestDigest']),
      outputDigests,
      createdAt: str(message, 'createdAt'),
      completedAt: str(message, 'completedAt'),
    },
    signature,
  })
  return { signer, message, outputDigests: outputDigests.map((digest) => digest.toLowerCase()) }
}

/** The address of the service's signing key. Null if it does not sign receipts. */
export function readSigner(body: unknown): string | null {
  const receipts = fields(body)['receipts']
  return receipts === null || receipts === undefined ? null : maybeStr(fields(receipts), 'signer')
}

/** SHA-256 as `0x` and lower-case hex. */
export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function hex(value: unknown): `0x${string}` {
  if (!isHex(value)) throw new Error('expected hex')
  return value
}

function address(from: Fields, key: string): `0x${string}` {
  const value = str(from, key)
  if (!isAddress(value)) throw new Error(`${key} is not an address`)
  return value
}
