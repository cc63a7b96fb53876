import { decodeFunctionData, type Hex, keccak256, pad, parseAbi, parseTransaction } from 'viem'
import { paymentBatchAbi } from '../../../contracts/abi/payment-batch.ts'

/** The batch contract. */
export const BATCH: Hex = pad('0xba7c', { size: 20 })

export const tokenAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/** One `transferWithAuthorization`. */
export interface TransferCall {
  payer: Hex
  value: bigint
  nonce: Hex
}

export interface Transaction {
  hash: Hex
  sender: Hex
  accountNonce: number
  maxFee: bigint
  tip: bigint
  gas: bigint
  to: Hex
  calls: TransferCall[]
}

/** A transaction of the simulated signers: they put their address where the signature's r is. */
export function readTransaction(raw: Hex): Transaction {
  const {
    r = '0x',
    to,
    nonce = 0,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
    gas = 0n,
    data = '0x',
  } = parseTransaction(raw)
  return {
    hash: keccak256(raw),
    sender: `0x${r.slice(-40)}`,
    accountNonce: nonce,
    maxFee: maxFeePerGas,
    tip: maxPriorityFeePerGas,
    gas,
    to: to ?? '0x',
    calls: callsOf(to ?? '0x', data),
  }
}

/** The transfers in a call of the token or of the batch contract. */
export function callsOf(to: Hex, data: Hex): TransferCall[] {
  if (to.toLowerCase() !== BATCH) return [transferOf(data)]
  const { functionName, args } = decodeFunctionData({ abi: paymentBatchAbi, data })
  if (functionName !== 'settle') throw new Error(`${functionName} is not simulated`)
  return args[0].map(({ from, value, nonce }) => ({ payer: lower(from), value, nonce }))
}

function transferOf(data: Hex): TransferCall {
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
  if (functionName !== 'transferWithAuthorization') throw new Error(`${functionName} is not simulated`)
  const [from, , value, , , nonce] = args
  return { payer: lower(from), value, nonce }
}

export const lower = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`
