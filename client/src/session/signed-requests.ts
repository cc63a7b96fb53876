import type { Account } from '../account.ts'
import { toHeader } from '../encoding.ts'
import { parseJson } from '../json-fields.ts'
import { CoinslotError, readProblem } from '../problem.ts'
import { readSignInChallenge, type SignInChallenge } from './challenge.ts'
import { STATEMENT, signInMessage } from './message.ts'
import { type Transport, textOf } from './transport.ts'
import { isProofRefused, type WalletProof } from './wallet-proof.ts'

/** Signs each request with `SIGN-IN-WITH-X`, without a session. */
export interface SignedRequests extends WalletProof {
  /** A call that pays nothing, as the wallet. Gets a challenge when it needs one, and repeats the call with its proof. */
  call: Transport['call']
  /** Gets a challenge for calls that are answered without a proof too, if there is none that can be used. */
  prepare(): Promise<void>
  /** Whether a call that pays nothing can be made without asking for a challenge. */
  isReady(): boolean
  /** Answers this challenge in calls that pay nothing, unless another can be used. */
  use(challenge: SignInChallenge | undefined): void
}

const ETHEREUM = 1
/** A proof that expires sooner is not sent: it could expire on its way. */
const MARGIN_MS = 15_000
const MAX_RENEWALS = 3
/** Any call that needs a proof and pays nothing: without one, it is answered with a challenge. */
const CHALLENGED_PATH = '/api/account'

/**
 * Proofs of one wallet at one service. Of a challenge only nonce and chains are used: domain and address in what is signed are
 * `transport.origin` and the path that is called, so that no service can get a signature for another one.
 */
export function signRequests(
  transport: Transport,
  account: () => Account,
  chainId: number | undefined,
): SignedRequests {
  /** By path and nonce. */
  const proofs = new Map<string, { header: Promise<string>; expiresAt: number }>()
  /** For calls that pay nothing: they use no nonce up. */
  let latest: SignInChallenge | undefined

  const isUsable = (challenge: SignInChallenge | undefined): challenge is SignInChallenge =>
    challenge !== undefined && transport.now() < challenge.expiresAt - MARGIN_MS

  /** The asked chain where the service accepts it, else Ethereum, else the service's first. */
  const chainOf = ({ chainIds }: SignInChallenge): number => {
    const wanted = [chainId, ETHEREUM, chainIds[0]].find((one) => one !== undefined && chainIds.includes(one))
    if (wanted === undefined) throw new CoinslotError('the service accepts no sign-in of an Ethereum account')
    return wanted
  }

  async function sign(path: string, challenge: SignInChallenge): Promise<string> {
    const signer = account()
    const { address } = signer
    const { origin } = transport
    const [issuedAt, expirationTime] = [new Date(transport.now()), new Date(challenge.expiresAt)]
    const { nonce } = challenge
    const [signedOn, uri] = [chainOf(challenge), origin + path]
    const message = signInMessage({ origin, uri, address, chainId: signedOn, nonce, issuedAt, expirationTime })
    return toHeader({
      domain: new URL(origin).host,
      uri,
      statement: STATEMENT,
      version: '1',
      nonce,
      issuedAt: issuedAt.toISOString(),
      expirationTime: expirationTime.toISOString(),
      address,
      chainId: `eip155:${signedOn}`,
      type: 'eip191',
      signature: await signer.signMessage({ message }),
    })
  }

  /** Signs once for each path and nonce. A failed signature is not kept. */
  function proofOf(path: string, challenge: SignInChallenge): Promise<string> {
    const key = `${path} ${challenge.nonce}`
    const known = proofs.get(key)
    if (known !== undefined) return known.header
    for (const [old, { expiresAt }] of proofs) if (expiresAt < transport.now()) proofs.delete(old)
    const header = sign(path, challenge)
    proofs.set(key, { header, expiresAt: challenge.expiresAt })
    header.catch(() => proofs.delete(key))
    return header
  }

  const headers = async (path: string, challenge: SignInChallenge | undefined): Promise<Record<string, string>> =>
    isUsable(challenge) ? { 'SIGN-IN-WITH-X': await proofOf(path, challenge) } : {}

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
      if (isProofRefused(problem)) latest = readSignInChallenge(problem.document, transport.now())
      if (!isProofRefused(problem) || renewals === MAX_RENEWALS) return new Response(text, response)
    }
  }

  return {
    signsRequests: true,
    payingChain: async (challenge) => chainId ?? (challenge && chainOf(challenge)),
    headers,
    renew: async ({ problem }) => readSignInChallenge(problem.document, transport.now()),
    call,
    isReady: () => isUsable(latest),
    use: (challenge) => {
      if (!isUsable(latest)) latest = challenge
    },
    prepare: async () => {
      if (isUsable(latest)) return
      const response = await transport.call(CHALLENGED_PATH)
      latest = readSignInChallenge(parseJson(await textOf(response)), transport.now())
    },
  }
}
