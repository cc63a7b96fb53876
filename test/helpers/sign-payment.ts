import { getAddress, type Hex, type PrivateKeyAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import type { PaymentRequired, PaymentRequirements } from '../../worker/x402/schemas.ts'

/** The struct of EIP-3009, written out here: a test must not take it from the code it tests. */
const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const VALID_SECONDS = 60

export interface Authorization {
  from: Hex
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

interface TokenDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: Hex
}

export interface SignOverrides extends Partial<Authorization> {
  domain?: Partial<TokenDomain>
  /** Changes of `accepted`, the client's claim of what it pays. */
  accepted?: Record<string, unknown>
  signature?: Hex
  extensions?: unknown
}

export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
export const decodeHeader = (value: string | null): unknown => JSON.parse(Buffer.from(value ?? '', 'base64').toString())

/** The authorization's nonce in a `Payment-Signature` header. */
export function nonceOf(header: string): string {
  const payment = decodeHeader(header) as { payload: { authorization: { nonce: string } } }
  return payment.payload.authorization.nonce
}

/** The EIP-712 signature of a transfer. */
export const signTransfer = (account: PrivateKeyAccount, domain: TokenDomain, authorization: Authorization) =>
  account.signTypedData({
    domain,
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })

/** The `Payment-Signature` header that pays `entry` of a challenge, by default the first. Valid for 60 s from `now`. */
export async function signPayment(
  account: PrivateKeyAccount,
  required: PaymentRequired,
  { now, entry, ...overrides }: SignOverrides & { now: Date; entry?: PaymentRequirements | undefined },
): Promise<string> {
  const accepted = entry ?? required.accepts[0]
  if (accepted === undefined) throw new Error('The challenge accepts no payment.')
  const authorization = {
    from: overrides.from ?? account.address,
    to: overrides.to ?? accepted.payTo,
    value: overrides.value ?? accepted.amount,
    validAfter: overrides.validAfter ?? '0',
    validBefore: overrides.validBefore ?? String(Math.floor(now.getTime() / 1000) + VALID_SECONDS),
    nonce: overrides.nonce ?? generatePrivateKey(),
  }
  const domain = {
    name: accepted.extra.name,
    version: accepted.extra.version,
    chainId: Number(accepted.network.slice('eip155:'.length)),
    verifyingContract: getAddress(accepted.asset),
    ...overrides.domain,
  }
  return encodeHeader({
    x402Version: 2,
    payload: {
      authorization,
      signature: overrides.signature ?? (await signTransfer(account, domain, authorization)),
    },
    accepted: { ...accepted, ...overrides.accepted },
    resource: required.resource,
    extensions: 'extensions' in overrides ? overrides.extensions : required.extensions,
  })
}
