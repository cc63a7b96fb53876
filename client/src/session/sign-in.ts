import type { Account } from '../account.ts'
import { CoinslotError, ProblemError } from '../errors.ts'
import type { Patience } from '../patience.ts'
import { isFields, textAt } from '../shape.ts'
import { signInMessage } from './message.ts'
import { jsonOf, type Transport } from './transport.ts'

export interface Session {
  address: string
  chainId: number
}

/** Where a wallet signs in unless told otherwise: the service's own default. */
const ETHEREUM = 1

/**
 * Signs in with Ethereum; a lost answer means a fresh nonce and a fresh signature, since a nonce works once. Without a wished
 * chain it takes the service's first one. Throws `ProblemError`, `ConnectionError`.
 */
export async function signIn(
  transport: Transport,
  account: Account,
  wished: number | undefined,
  patience: Patience,
): Promise<Session> {
  const attempt = async (chainId: number): Promise<Session> => {
    const answer = await jsonOf(await transport.call('/api/auth/nonce'))
    const nonce = isFields(answer) ? textAt(answer, 'nonce') : undefined
    if (nonce === undefined) throw new CoinslotError('the service gave no nonce: is this a Coinslot?')
    const issuedAt = new Date(transport.now())
    const message = signInMessage({ origin: transport.origin, address: account.address, chainId, nonce, issuedAt })
    const body = JSON.stringify({ message, signature: await account.signMessage({ message }) })
    await jsonOf(await transport.call('/api/auth/verify', { method: 'POST', body }))
    return { address: account.address, chainId }
  }
  try {
    return await patience.insist(() => attempt(wished ?? ETHEREUM))
  } catch (error) {
    const offered = wished === undefined ? firstChain(error) : undefined
    if (offered === undefined) throw error
    return patience.insist(() => attempt(offered))
  }
}

/** The chain that a refusal of ours names first. */
function firstChain(error: unknown): number | undefined {
  if (!(error instanceof ProblemError) || error.problem.code !== 'unsupported_chain') return undefined
  const { supportedChainIds } = error.problem.document
  const first: unknown = Array.isArray(supportedChainIds) ? supportedChainIds[0] : undefined
  return typeof first === 'number' ? first : undefined
}

/** Who is signed in, or null. */
export async function currentSession(transport: Transport, patience: Patience): Promise<Session | null> {
  const body = await patience.insist(async () => jsonOf(await transport.call('/api/auth/session')))
  if (!isFields(body)) return null
  const { address, chainId } = body
  return typeof address === 'string' && typeof chainId === 'number' ? { address, chainId } : null
}
