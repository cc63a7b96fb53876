import { createSignal } from 'solid-js'
import { fields, maybeNum, maybeStr } from '../../../shared/shape.ts'
import { getJson, service } from '../lib/api.ts'
import type { Connected } from './create-identity.ts'

export interface Session {
  address: string
  chainId: number
}

function readSession(body: unknown): Session | null {
  const from = fields(body)
  const [address, chainId] = [maybeStr(from, 'address'), maybeNum(from, 'chainId')]
  return address === null || chainId === null ? null : { address, chainId }
}

/** Ends the session of the server. The call is made at once and outlives the page, so that leaving the page does not cancel it. */
async function endSession(): Promise<void> {
  if ((await logOut()) !== 403) return
  // The CSRF token is missing or old. This answer brings one.
  await getJson('/api/auth/session', () => null)
  await logOut()
}

async function logOut(): Promise<number> {
  const response = await service().call('/api/auth/logout', { method: 'POST', body: '{}', keepalive: true })
  await response.text()
  return response.status
}

/** The session of the server: `undefined` until it is known, null when signed out. */
export function createSession() {
  const [session, setSession] = createSignal<Session | null>()
  /** Counts sign-ins and sign-outs. What depends on the account is loaded again when it changes. */
  const [epoch, setEpoch] = createSignal(0)

  /** Reads the session again. If the server does not answer, the session stays as it is. */
  async function refresh(): Promise<void> {
    setSession(await getJson('/api/auth/session', readSession).catch(() => session() ?? null))
  }

  /** Takes the session of a sign-in. */
  function adopt(signedIn: Session): void {
    setSession(signedIn)
    setEpoch((count) => count + 1)
  }

  /** Signs in with a connected wallet. Throws the error of the wallet or the server, or LoadError. */
  async function signIn({ option, address }: Connected, servedChains: readonly number[]): Promise<void> {
    const { signInWith } = await import('../lib/wallet/sign-in.ts')
    adopt(await signInWith(option.provider, address, servedChains))
  }

  async function signOut(): Promise<void> {
    setSession(null)
    await endSession().catch(() => undefined)
    await refresh()
    setEpoch((count) => count + 1)
  }

  return { session, epoch, refresh, adopt, signIn, signOut }
}
