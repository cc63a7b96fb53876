import { toHeader } from '../../../protocol/base64.ts'
import type { Account } from '../account.ts'
import { CoinslotError } from '../problem.ts'
import type { SignInChallenge } from './challenge.ts'
import { STATEMENT, signInMessage } from './message.ts'
import type { Transport } from './transport.ts'

const ETHEREUM = 1

/** The asked chain where the service accepts it, else Ethereum, else the service's first. */
export function chainFor({ chainIds }: SignInChallenge, asked: number | undefined): number {
  const chainId = [asked, ETHEREUM, chainIds[0]].find((one) => one !== undefined && chainIds.includes(one))
  if (chainId === undefined) throw new CoinslotError('the service accepts no sign-in of an Ethereum account')
  return chainId
}

/**
 * Signs one request: the header `SIGN-IN-WITH-X`. Of the challenge only the nonce and its end are used. Domain and address in what is
 * signed are the called ones, so that no service gets a signature for another.
 */
export async function signProof(
  { origin, now }: Pick<Transport, 'origin' | 'now'>,
  account: Account,
  { path, chainId, challenge }: { path: string; chainId: number; challenge: SignInChallenge },
): Promise<string> {
  const { address } = account
  const { nonce } = challenge
  const uri = origin + path
  const [issuedAt, expirationTime] = [new Date(now()), new Date(challenge.expiresAt)]
  const message = signInMessage({ origin, uri, address, chainId, nonce, issuedAt, expirationTime })
  return toHeader({
    domain: new URL(origin).host,
    uri,
    statement: STATEMENT,
    version: '1',
    nonce,
    issuedAt: issuedAt.toISOString(),
    expirationTime: expirationTime.toISOString(),
    address,
    chainId: `eip155:${chainId}`,
    type: 'eip191',
    signature: await account.signMessage({ message }),
  })
}

/** Proofs of one wallet. Each path and nonce is signed once. A signature that failed is not kept. */
export function makeProofs(
  transport: Pick<Transport, 'origin' | 'now'>,
  account: () => Account,
  asked: number | undefined,
): (path: string, challenge: SignInChallenge) => Promise<string> {
  const kept = new Map<string, { header: Promise<string>; expiresAt: number }>()
  return (path, challenge) => {
    const key = `${path} ${challenge.nonce}`
    const known = kept.get(key)
    if (known !== undefined) return known.header
    for (const [old, { expiresAt }] of kept) if (expiresAt < transport.now()) kept.delete(old)
    const header = signProof(transport, account(), { path, chainId: chainFor(challenge, asked), challenge })
    kept.set(key, { header, expiresAt: challenge.expiresAt })
    header.catch(() => kept.delete(key))
    return header
  }
}
