import { getAddress } from 'viem/utils'

export interface SignInFacts {
  /** `host[:port]` of the page. */
  host: string
  origin: string
  address: string
  chainId: number
  nonce: string
  issuedAt: Date
  /** One line. */
  statement: string
}

/** The EIP-4361 text: address in EIP-55 form, chain id in decimal digits, a statement without line breaks. */
export function signInMessage(facts: SignInFacts): string {
  return [
    `${facts.host} wants you to sign in with your Ethereum account:`,
    // Wallets give addresses in any case; the standard's own form is what the server takes.
    getAddress(facts.address.toLowerCase()),
    '',
    facts.statement.replace(/\s+/g, ' ').trim(),
    '',
    `URI: ${facts.origin}`,
    'Version: 1',
    `Chain ID: ${facts.chainId}`,
    `Nonce: ${facts.nonce}`,
    `Issued At: ${facts.issuedAt.toISOString()}`,
  ].join('\n')
}

/** UTF-8 bytes as hex: the form of `personal_sign` that every wallet shows as text. */
export function utf8Hex(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
