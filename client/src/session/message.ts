/** The fields of a sign-in message. */
export interface SignIn {
  origin: string
  /** The address that is called with it, one of `origin`. Default: `origin` itself, for a session. */
  uri?: string
  /** In EIP-55 form. */
  address: string
  chainId: number
  nonce: string
  issuedAt: Date
  expirationTime?: Date
  /** One line; line breaks become spaces. Default "Sign in to Coinslot." */
  statement?: string | undefined
}

export const STATEMENT = 'Sign in to Coinslot.'

/** The EIP-4361 text. */
export function signInMessage(fields: SignIn): string {
  const { origin, uri = origin, address, chainId, nonce, issuedAt, expirationTime, statement = STATEMENT } = fields
  const end = expirationTime === undefined ? '' : `\nExpiration Time: ${expirationTime.toISOString()}`
  return `${new URL(origin).host} wants you to sign in with your Ethereum account:
${address}

${statement.replace(/\s+/g, ' ').trim()}

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}${end}`
}
