import type { Account } from '../account.ts'
import { isFields, textAt } from '../json-fields.ts'
import { CoinslotError, ProblemError } from '../problem.ts'
import { once, type Retrier } from '../retry.ts'
import { signInMessage } from './message.ts'
import { jsonOf, type Transport } from './transport.ts'

export interface Session {
  address: string
  chainId: number
}

/** The default chain for a sign-in. */
const ETHEREUM = 1

export interface SignInOptions {
  chainId?: number | undefined
  /** The statement that the person agrees to, in one line. Default "Sign in to Coinslot." */
  statement?: string
}

/**
 * Signs in with Ethereum, without retries by default. Each try needs a new nonce and signature, since a nonce works once. Without a
 * `chainId` it tries Ethereum, then the service's first chain. Throws `ProblemError`, `ConnectionError`, and what the account throws.
 */
export async function signIn(
  transport: Transport,
  account: Account,
  { chainId: requested, statement }: SignInOptions,
  retrier: Retrier = once,
): Promise<Session> {
  const attempt = async (chainId: number): Promise<Session> => {
    const answer = await jsonOf(await transport.call('/api/auth/nonce'))
    const nonce = isFields(answer) ? textAt(answer, 'nonce') : undefined
    if (nonce === undefined) throw new CoinslotError('the service sent no nonce: is this a Coinslot service?')
    const issuedAt = new Date(transport.now())
    const { address } = account
    const message = signInMessage({ origin: transport.origin, address, chainId, nonce, issuedAt, statement })
    const body = JSON.stringify({ message, signature: await account.signMessage({ message }) })
    await jsonOf(await transport.call('/api/auth/verify', { method: 'POST', body }))
    return { address, chainId }
  }
  try {
    return await retrier.retry(() => attempt(requested ?? ETHEREUM))
  } catch (error) {
    const offered = requested === undefined ? firstChain(error) : undefined
    if (offered === undefined) throw error
    return retrier.retry(() => attempt(offered))
  }
}

/** The first chain in the refusal of a chain. */
function firstChain(error: unknown): number | undefined {
  if (!(error instanceof ProblemError) || error.problem.code !== 'unsupported_chain') return undefined
  const { supportedChainIds } = error.problem.document
  const first: unknown = Array.isArray(supportedChainIds) ? supportedChainIds[0] : undefined
  return typeof first === 'number' ? first : undefined
}

/** The current session, or null. */
export async function currentSession(transport: Transport, retrier: Retrier): Promise<Session | null> {
  const body = await retrier.retry(async () => jsonOf(await transport.call('/api/auth/session')))
  if (!isFields(body)) return null
  const { address, chainId } = body
  return typeof address === 'string' && typeof chainId === 'number' ? { address, chainId } : null
}
