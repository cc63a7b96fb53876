import type { Account } from '../account.ts'
import { CoinslotError, isSignedOut, ProblemError } from '../problem.ts'
import { once, type Retrier } from '../retry.ts'
import { currentSession, type Session, signIn } from './sign-in.ts'
import type { Transport } from './transport.ts'

/** Keeps an account signed in. */
export interface SessionManager {
  /** The account that signs. Throws when the client has none. */
  account(): Account
  /** Signs in again. */
  signIn(): Promise<Session>
  /** The account's session. Signs in when it has none. Later calls return the same session without a request. */
  presentSession(): Promise<Session>
  /** Signs in when the account has no session. */
  ensureSignedIn(): Promise<unknown>
  /** Gets a valid CSRF token. */
  renewToken(): Promise<unknown>
  /** The session as the service knows it now, or null. */
  currentSession(): Promise<Session | null>
  /** Makes a call that needs a session. Signs in and repeats the call once when the session has ended. */
  withSession<Value>(call: () => Promise<Value>): Promise<Value>
}

/** The session of an app that signs in by its own `signIn` call. The library asks for no sign-in signature. */
export function callersSession(transport: Transport, retrier: Retrier = once) {
  return {
    presentSession: (): Promise<Session | null> => currentSession(transport, retrier),
    ensureSignedIn: async (): Promise<void> => undefined,
    signIn: undefined,
    // The service sets a valid token with every answer about the session.
    renewToken: (): Promise<unknown> => currentSession(transport, retrier),
  }
}

export function makeSessionManager(options: {
  transport: Transport
  retrier: Retrier
  account: Account | undefined
  chainId: number | undefined
}): SessionManager {
  const { transport, retrier, chainId } = options
  let cached: Promise<Session> | undefined

  function account(): Account {
    if (options.account === undefined)
      throw new CoinslotError('this needs an account: give `account` to createCoinslot')
    return options.account
  }

  async function findOrSignIn(): Promise<Session> {
    const found = await currentSession(transport, retrier)
    const isOurs = found?.address.toLowerCase() === account().address.toLowerCase()
    const isOnChain = chainId === undefined || found?.chainId === chainId
    return found !== null && isOurs && isOnChain ? found : signIn(transport, account(), { chainId }, retrier)
  }

  /** Keeps a session for later calls. A failed one is not kept. */
  function cache(session: Promise<Session>): Promise<Session> {
    cached = session
    session.catch(() => {
      if (cached === session) cached = undefined
    })
    return session
  }

  const presentSession = (): Promise<Session> => cached ?? cache(findOrSignIn())

  const manager: SessionManager = {
    account,
    currentSession: () => currentSession(transport, retrier),
    signIn: () => cache(signIn(transport, account(), { chainId }, retrier)),
    renewToken: () => currentSession(transport, retrier),
    presentSession,
    ensureSignedIn: presentSession,
    withSession: async (call) => {
      await manager.presentSession()
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof ProblemError) || !isSignedOut(error.problem)) throw error
        await manager.signIn()
        return call()
      }
    },
  }
  return manager
}
