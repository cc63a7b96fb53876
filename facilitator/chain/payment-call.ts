import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseErc6492Signature,
  parseSignature,
} from 'viem'
import { paymentBatchAbi } from '../../contracts/abi/payment-batch.ts'
import type { PaymentPayload } from '../request.ts'

export interface Call {
  to: Hex
  data: Hex
}

const tokenAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
/** Hex digits of a signature of a plain account, with its 0x. */
const PLAIN_LENGTH = 2 + 2 * 65

/** True if this may be a signature of a plain account: 65 bytes with numbers that the curve has. */
export function hasPlainSignature({ signature }: Pick<PaymentPayload['payload'], 'signature'>): boolean {
  if (signature.length !== PLAIN_LENGTH) return false
  try {
    return parseSignature(hexOf(signature)).r !== undefined
  } catch {
    return false
  }
}

/** The token's call for a payment: with v, r and s for a signature of 65 bytes, with the bytes for any other. */
export function paymentCall(asset: Hex, { signature: given, authorization }: PaymentPayload['payload']): Call {
  const { signature } = parseErc6492Signature(hexOf(given))
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const terms = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), hexOf(nonce)] as const
  const functionName = 'transferWithAuthorization'
  if (signature.length !== PLAIN_LENGTH) {
    return { to: asset, data: encodeFunctionData({ abi: tokenAbi, functionName, args: [...terms, signature] }) }
  }
  const { v, yParity, r, s } = parseSignature(signature)
  return {
    to: asset,
    data: encodeFunctionData({ abi: tokenAbi, functionName, args: [...terms, Number(v ?? yParity), r, s] }),
  }
}

const hexOf = (text: string): Hex => `0x${text.slice(2)}`

/** The members of a payment by a plain account that the batch contract takes. */
export interface BatchEntry {
  token: Hex
  from: Hex
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  v: number
  r: Hex
  s: Hex
}

/** The payment for the batch contract; null when its signature is not that of a plain account. */
export function batchEntry(token: Hex, payload: PaymentPayload['payload']): BatchEntry | null {
  if (!hasPlainSignature(payload)) return null
  const { from, value, validAfter, validBefore, nonce } = payload.authorization
  const { v, yParity, r, s } = parseSignature(hexOf(payload.signature))
  const times = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
  return { token, from, value: BigInt(value), ...times, nonce: hexOf(nonce), v: Number(v ?? yParity), r, s }
}

/** A call of the batch contract, which checks each payer inside the transaction and limits the gas of each payment. */
export const batchCall = (contract: Hex, entries: readonly BatchEntry[]): Call => ({
  to: contract,
  data: encodeFunctionData({ abi: paymentBatchAbi, functionName: 'settle', args: [entries] }),
})

/** `Result` of the contract. */
export const RESULT = { paid: 0, payerHasCode: 1 } as const

/** True if each payment of a simulated `settle` was paid. */
export const batchResults = (data: Hex): boolean[] =>
  decodeFunctionResult({ abi: paymentBatchAbi, functionName: 'settle', data }).map((result) => result === RESULT.paid)

/** Gas of a transaction with so many payments: above all that the contract lets them use, so it needs no estimate. */
const BASE_GAS = 60_000n
const ENTRY_GAS = 100_000n
/** Gas limit of a plain account's payment that is sent by itself to the token. */
export const DIRECT_GAS = 150_000n
/** The most that one transaction may use (EIP-7825). */
export const MAX_TRANSACTION_GAS = 16_777_216n
/** As many as that gas allows: 167. */
export const MAX_BATCH = Number((MAX_TRANSACTION_GAS - BASE_GAS) / ENTRY_GAS)

export const gasBound = (count: number): bigint => BASE_GAS + ENTRY_GAS * BigInt(count)

/** How many of `count` payments fit in one transaction of at most `maxGas`. */
export function countThatFits(count: number, maxGas: bigint): number {
  const room = (maxGas < MAX_TRANSACTION_GAS ? maxGas : MAX_TRANSACTION_GAS) - BASE_GAS
  return Math.min(count, Math.max(0, Number(room / ENTRY_GAS)))
}
