import { chainIdOf } from './networks.ts'

type Hex = `0x${string}`

/** EIP-712 types of the message that EIP-3009 signs. */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** EIP-712 domain of a token that takes EIP-3009 authorizations. */
export interface TransferDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: Hex
}

/** A transfer as it is signed. `value` is in atomic units; both times are unix seconds. A type: viem takes no interface here. */
export type TransferMessage = {
  from: Hex
  to: Hex
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

/** A transfer as x402 sends it: its integers are decimal strings. */
export interface Authorization {
  from: Hex
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

/** EIP-712 data of a `TransferWithAuthorization`, ready for viem. */
export interface TransferTypedData {
  domain: TransferDomain
  message: TransferMessage
}

/** The members of an entry of `accepts` that are needed to sign for its token. */
interface TokenOfOffer {
  network: string
  asset: Hex
  extra: { name: string; version: string }
}

/** EIP-712 domain of the token of one entry of `accepts`. */
export const transferDomain = ({ network, asset, extra }: TokenOfOffer): TransferDomain => ({
  name: extra.name,
  version: extra.version,
  chainId: chainIdOf(network),
  verifyingContract: asset,
})

/** The message of an authorization, its integers as bigint. */
export const messageOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization): TransferMessage => ({
  from,
  to,
  value: BigInt(value),
  validAfter: BigInt(validAfter),
  validBefore: BigInt(validBefore),
  nonce,
})

/** An authorization as EIP-712 data. */
export const transferTypedData = (authorization: Authorization, domain: TransferDomain): TransferTypedData => ({
  domain,
  message: messageOf(authorization),
})

/** A message as x402 sends it. */
export const authorizationOf = (message: TransferMessage): Authorization => ({
  ...message,
  value: message.value.toString(),
  validAfter: message.validAfter.toString(),
  validBefore: message.validBefore.toString(),
})
