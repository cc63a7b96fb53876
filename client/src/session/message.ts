/** What a sign-in message says. */
export interface SignIn {
  origin: string
  /** In EIP-55 form. */
  address: string
  chainId: number
  nonce: string
  issuedAt: Date
}

/** The EIP-4361 text, to the letter. */
export function signInMessage({ origin, address, chainId, nonce, issuedAt }: SignIn): string {
  return `${new URL(origin).host} wants you to sign in with your Ethereum account:
${address}

Sign in to Coinslot.

URI: ${origin}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}`
}
