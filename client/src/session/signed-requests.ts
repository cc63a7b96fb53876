import type { Account } from '../account.ts'
import { parseJson } from '../json-fields.ts'
import { readProblem } from '../problem.ts'
import { readSignInChallenge, type SignInChallenge } from './challenge.ts'
import { chainFor, makeProofs } from './sign-proof.ts'
import { type Transport, textOf } from './transport.ts'
import { isProofRefused, type WalletProof } from './wallet-proof.ts'

/** Signs each request with `SIGN-IN-WITH-X`, without a session. */
export interface SignedRequests extends WalletProof {
  /** A call that pays nothing, as the wallet. Gets a challenge when it needs one, and repeats the call with its proof. */
  call: Transport['call']
  /** Gets a challenge for calls that are answered without a proof too, if there is none that can be used. */
  prepare(): Promise<void>
  /** True if a call that pays nothing can be made without asking for a challenge. */
  isReady(): boolean
  /** Answers this challenge in calls that pay nothing, unless another can be used. */
  use(challenge: SignInChallenge | undefined): void
}

/** A proof that expires sooner is not sent: it could expire on its way. */
const MARGIN_MS = 15_000
const MAX_RENEWALS = 3
/** Any call that needs a proof and pays nothing: without one, it is answered with a challenge. */
const CHALLENGED_PATH = '/api/account'

/** Proofs of one wallet at one service, on the chain `asked` where the service accepts it. */
export function signRequests(transport: Transport, account: () => Account, asked: number | undefined): SignedRequests {
  const proofOf = makeProofs(transport, account, asked)
  /** For calls that pay nothing: they use no nonce up. */
  let latest: SignInChallenge | undefined

  const isUsable = (challenge: SignInChallenge | undefined): challenge is SignInChallenge =>
    challenge !== undefined && transport.now() < challenge.expiresAt - MARGIN_MS

  const headers = async (path: string, challenge: SignInChallenge | undefined): Promise<Record<string, string>> =>
    isUsable(challenge) ? { 'SIGN-IN-WITH-X': await proofOf(path, challenge) } : {}

  const challengeIn = (document: unknown): SignInChallenge | undefined => readSignInChallenge(document, transport.now())

  const call: Transport['call'] = async (path, init = {}) => {
    account()
    const { pathname } = new URL(path, transport.origin)
    for (let renewals = 0; ; renewals += 1) {
      const proof = await headers(pathname, latest)
      const response = await transport.call(path, { ...init, headers: { ...init.headers, ...proof } })
      if (![400, 401, 402].includes(response.status)) return response
      const text = await textOf(response)
      const problem = readProblem(parseJson(text), response.status)
      // Without a challenge in the refusal the next try has no proof, and is answered with one.
      if (isProofRefused(problem)) latest = challengeIn(problem.document)
      if (!isProofRefused(problem) || renewals === MAX_RENEWALS) return new Response(text, response)
    }
  }

  return {
    signsRequests: true,
    payingChain: async (challenge) => asked ?? (challenge && chainFor(challenge, asked)),
    headers,
    renew: async ({ problem }) => challengeIn(problem.document),
    call,
    isReady: () => isUsable(latest),
    use: (challenge) => {
      if (!isUsable(latest)) latest = challenge
    },
    prepare: async () => {
      if (!isUsable(latest)) latest = challengeIn(parseJson(await textOf(await transport.call(CHALLENGED_PATH))))
    },
  }
}
