/** The fields of a sign-in message. */
export interface SignIn {
  origin: string
  /** In EIP-55 form. */
  address: string
  chainId: number
  nonce: string
  issuedAt: Date
  /** One line; line breaks become spaces. Default "Sign in to Coinslot." */
  statement?: string | undefined
}

const STATEMENT = 'Sign in to Coinslot.'

/** The EIP-4361 text. */
export function signInMessage({ origin, address, chainId, nonce, issuedAt, statement = STATEMENT }: SignIn): string {
  return `${new URL(origin).host} wants you to sign in with your Ethereum account:
${address}

${statement.replace(/\s+/g, ' ').trim()}

URI: ${origin}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}`
}
