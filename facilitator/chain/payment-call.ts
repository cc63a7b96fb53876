import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseAbi,
  parseErc6492Signature,
  parseSignature,
  size,
} from 'viem'
import type { PaymentPayload } from '../request.ts'

/** The address of Multicall3 on every public chain. */
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

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

/** Whether this may be a signature of a plain account: 65 bytes with numbers that the curve has. */
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

/** One call is sent as it is. Many become one call of Multicall3, where each may fail by itself. */
export function batchCall(calls: readonly Call[]): Call {
  const [first] = calls
  if (first !== undefined && calls.length === 1) return first
  const entries = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  return {
    to: MULTICALL3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [entries] }),
  }
}

/** Whether each call of an `aggregate3` succeeded, and what it returned. */
export const batchResults = (data: Hex): readonly { success: boolean; returnData: Hex }[] =>
  decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })

/** Gas of a transaction with so many transfers: above all that was measured, so it needs no estimate that a failing entry spoils. */
const BASE_GAS = 60_000n
const ENTRY_GAS = 90_000n
/** The most that one transaction may use (EIP-7825). */
const MAX_TRANSACTION_GAS = 16_777_216n
/** Nodes take no larger transaction. */
const MAX_TRANSACTION_BYTES = 128 * 1024
/** Fees, signature and the frame of the batch. */
const FRAME_BYTES = 1_024
/** Offset, length, target, flag and padding of one entry. */
const ENTRY_FRAME_BYTES = 192

export const gasBound = (count: number): bigint => BASE_GAS + ENTRY_GAS * BigInt(count)

/** How many of these calls, from the first one on, fit in one transaction of at most `maxGas`. */
export function countThatFits(calls: readonly Call[], maxCount: number, maxGas = MAX_TRANSACTION_GAS): number {
  let bytes = FRAME_BYTES
  let count = 0
  for (const { data } of calls) {
    bytes += size(data) + ENTRY_FRAME_BYTES
    const isFull = count >= maxCount || gasBound(count + 1) > maxGas || bytes > MAX_TRANSACTION_BYTES
    if (isFull) break
    count += 1
  }
  return count
}
