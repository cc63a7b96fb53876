import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import { useNonceAndSeeUser } from '../../../db/queries/users.ts'
import { AppError } from '../../errors.ts'
import type { RequestDeps, Session } from '../deps.ts'
import { readSignInMessage } from './message.ts'
import { isFreshNonce } from './nonce.ts'
import { checkSignature } from './signature.ts'

export interface SignedIn {
  session: Session
  /** The session may not outlive the message: seconds until its `expirationTime`; undefined when it has none. */
  secondsLeft: number | undefined
}

/**
 * Signs a wallet in: the message is for this service, its nonce is fresh, the wallet signed it, and only then is the nonce used up, in the
 * one statement that writes the user; so a bad signature uses up no nonce, and of twenty copies one signs in.
 * Throws `invalid_siwe_message`, `unsupported_chain`, `nonce_expired`, `invalid_signature`, `nonce_used`, `database_unavailable`.
 */
export async function signIn(deps: RequestDeps, request: { message: string; signature: Hex }): Promise<SignedIn> {
  const now = deps.now()
  const message = readSignInMessage(deps.config, request.message, now)
  const { nonce, chainId } = message.parsed
  if (!isFreshNonce(deps.config, nonce, now)) {
    throw new AppError('nonce_expired', {
      detail: 'The nonce is older than 10 minutes or not of this service; fetch a new one.',
    })
  }
  await checkSignature(deps, message, request.signature)
  const address = getAddress(message.parsed.address)
  if (!(await useNonceAndSeeUser(deps.database, { nonce, address: address.toLowerCase(), now }))) {
    throw new AppError('nonce_used', { detail: 'Fetch a new nonce: each signs in once.' })
  }
  return { session: { address, chainId }, secondsLeft: message.secondsLeft }
}
