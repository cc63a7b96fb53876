import type { Problem, ProblemError } from '../problem.ts'
import { once } from '../retry.ts'
import type { SignInChallenge } from './challenge.ts'
import { currentSession } from './sign-in.ts'
import type { Transport } from './transport.ts'

/** How the service learns which wallet calls: by a page's session cookie, or by a signature of each request. */
export interface WalletProof {
  /** True if it can answer a challenge by itself. Otherwise the caller signs in first. */
  readonly signsRequests: boolean
  /** The chain that a payment is made on when the caller asked for none. */
  payingChain(challenge: SignInChallenge | undefined): Promise<number | undefined>
  /** The headers that prove the wallet in a call of `path`. None without a challenge, or once it has expired. */
  headers(path: string, challenge: SignInChallenge | undefined): Promise<Record<string, string>>
  /**
   * Prepares another try of a call that was refused for its proof. Returns the challenge to answer with it, if the refusal has one.
   * Throws the refusal where only the caller can sign in.
   */
  renew(refusal: ProblemError): Promise<SignInChallenge | undefined>
}

/** True if a call was refused for the proof of its wallet, so that another proof can help. */
export const isProofRefused = ({ code, status, nextAction }: Problem): boolean =>
  code === 'csrf_failed' || (nextAction === 'sign_in' && [400, 401, 402].includes(status))

/** The session cookie of a page. The app signs in with `signIn`. The library asks for no sign-in signature. */
export function cookieSession(transport: Transport): WalletProof {
  return {
    signsRequests: false,
    payingChain: async () => (await currentSession(transport, once))?.chainId,
    headers: async () => ({}),
    renew: async (refusal) => {
      if (refusal.problem.code !== 'csrf_failed') throw refusal
      // An answer about the session sets a valid token. A failure here repeats: the next call is refused too.
      await currentSession(transport, once).catch(() => null)
      return undefined
    },
  }
}
