import { BASE_SEPOLIA, TEST_ORIGIN } from './config.ts'

export interface SiweFields {
  address: string
  nonce: string
  /** Default: Base Sepolia. */
  chainId?: number | string
  /** `domain` and `uri` follow from it unless they are set. Default: the tests' own. */
  origin?: string
  domain?: string
  uri?: string
  version?: string
  statement?: string
  issuedAt?: Date
  expirationTime?: Date
  notBefore?: Date
}

/** An EIP-4361 text as a wallet would show it. Nothing is checked: tests also write invalid ones. */
export function siweText({ origin = TEST_ORIGIN, ...fields }: SiweFields): string {
  const lines = [
    `${fields.domain ?? new URL(origin).host} wants you to sign in with your Ethereum account:`,
    fields.address,
    '',
    ...(fields.statement === undefined ? [''] : [fields.statement, '']),
    `URI: ${fields.uri ?? origin}`,
    `Version: ${fields.version ?? '1'}`,
    `Chain ID: ${fields.chainId ?? BASE_SEPOLIA.chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${(fields.issuedAt ?? new Date()).toISOString()}`,
  ]
  if (fields.expirationTime) lines.push(`Expiration Time: ${fields.expirationTime.toISOString()}`)
  if (fields.notBefore) lines.push(`Not Before: ${fields.notBefore.toISOString()}`)
  return lines.join('\n')
}
