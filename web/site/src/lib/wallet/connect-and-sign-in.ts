import type { Session } from '@coinslot/client/sign-in'
import { type Fields, fields, isFields, maybeFields, maybeStr, num, str } from '../../../../shared/shape.ts'
import { keepsSiteData } from '../../../../shared/storage.ts'
import { isUnsupported, walletTrouble } from '../../../../shared/wallet/errors.ts'
import { firstAccount, isDemo, sameAddress, type WalletOption } from '../../../../shared/wallet/provider.ts'
import { service } from '../api.ts'

/** A message of EIP-4361 may contain only ASCII, so it is English everywhere. */
export const STATEMENT = 'Sign in to Coinslot. This costs nothing and moves no money.'

/** The accounts and session that a wallet shares. `session` is null if the sign-in is still to come. */
interface Shared {
  accounts: unknown
  session: Session | null
}

/** Wallets that have not answered `wallet_connect`. If the person chooses one again, it is connected the older way. */
const silent = new Set<string>()

/**
 * Connects a wallet. A wallet with `wallet_connect` (ERC-7846) and its capability `signInWithEthereum` also signs in, with one
 * confirmation. Any other wallet is asked for its accounts. Throws the wallet's error if the person rejects it or another request is
 * open.
 */
export async function connectAndSignIn(
  option: WalletOption,
  servedChains: () => Promise<readonly number[]>,
): Promise<Shared> {
  const { provider, id } = option
  const asBefore = async (): Promise<Shared> => {
    return { accounts: await provider.request({ method: 'eth_requestAccounts' }), session: null }
  }
  // The first two are known not to have it. Without cookies there is no session.
  if (isDemo(option) || option.remote !== undefined || silent.has(id) || !keepsSiteData()) return asBefore()
  const terms = await Promise.all([freshNonce(), servedChains()]).catch(() => null)
  if (terms === null) return asBefore()
  const [nonce, [chainId = 1]] = terms
  silent.add(id)
  const answer = await provider
    .request({ method: 'wallet_connect', params: [requestOf(nonce, chainId)] })
    .catch(nullUnlessAnswered)
    .finally(() => silent.delete(id))
  const account = firstOf(answer)
  const address = account === null ? null : firstAccount([account['address']])
  if (account === null || address === null) return asBefore()
  return { accounts: [address], session: await sessionOf(account, address, nonce).catch(() => null) }
}

async function freshNonce(): Promise<string> {
  const response = await service().call('/api/auth/nonce')
  return str(fields(await response.json(), 'nonce'), 'nonce')
}

const requestOf = (nonce: string, chainId: number) => ({
  version: '1',
  capabilities: {
    signInWithEthereum: {
      version: '1',
      nonce,
      chainId: `0x${chainId.toString(16)}`,
      domain: location.host,
      uri: location.origin,
      statement: STATEMENT,
      issuedAt: new Date(service().now()).toISOString(),
    },
  },
})

/** Null if the wallet does not know the method; an answer of the person is thrown on. */
function nullUnlessAnswered(error: unknown): null {
  const trouble = walletTrouble(error)
  if (!isUnsupported(error) && (trouble === 'rejected' || trouble === 'pending')) throw error
  return null
}

function firstOf(answer: unknown): Fields | null {
  const accounts: unknown = isFields(answer) ? answer['accounts'] : null
  const [first]: unknown[] = Array.isArray(accounts) ? accounts : []
  return isFields(first) ? first : null
}

/**
 * Signs in with the message that the wallet wrote and signed. Null if it did not sign one for this address and nonce. Throws the
 * service's refusal.
 */
async function sessionOf(account: Fields, address: string, nonce: string): Promise<Session | null> {
  const signed = maybeFields(maybeFields(account, 'capabilities') ?? {}, 'signInWithEthereum')
  const message = signed === null ? null : maybeStr(signed, 'message')
  if (signed === null || message === null) return null
  const [, signer = '', ...lines] = message.split('\n')
  if (!sameAddress(signer, address) || !lines.includes(`Nonce: ${nonce}`)) return null
  const body = JSON.stringify({ message, signature: str(signed, 'signature') })
  const response = await service().call('/api/auth/verify', { method: 'POST', body })
  if (!response.ok) return null
  const session = fields(await response.json(), 'session')
  return { address: str(session, 'address'), chainId: num(session, 'chainId') }
}
