import { randomBytes } from 'node:crypto'
import { bytesToHex, getAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Accept, PaymentRequired } from './api.ts'

const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** Seconds that a signature is good for: long enough to send it again after a lost connection. */
const VALID_SECONDS = 600

/** Signs an EIP-3009 authorization for `accept` and returns the `Payment-Signature` header that pays with it. */
export async function signPayment(
  account: PrivateKeyAccount,
  required: PaymentRequired,
  accept: Accept,
  nowSeconds: number,
): Promise<string> {
  const { name, version } = accept.extra
  const message = {
    from: account.address,
    to: getAddress(accept.payTo),
    value: BigInt(accept.amount),
    validAfter: 0n,
    validBefore: BigInt(nowSeconds + VALID_SECONDS),
    nonce: bytesToHex(randomBytes(32)),
  }
  const signature = await account.signTypedData({
    domain: { name, version, chainId: Number(accept.network.slice(7)), verifyingContract: getAddress(accept.asset) },
    types: { TransferWithAuthorization: FIELDS },
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const authorization = {
    ...message,
    value: message.value.toString(),
    validAfter: message.validAfter.toString(),
    validBefore: message.validBefore.toString(),
  }
  const { resource, extensions } = required
  const payload = { x402Version: 2, resource, accepted: accept, payload: { signature, authorization }, extensions }
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}
