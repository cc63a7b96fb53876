import type { Account } from '../account.ts'
import { CoinslotError, ProblemError } from '../problem.ts'
import { once, type Retrier } from '../retry.ts'
import { currentSession, type Session, signIn } from './sign-in.ts'
import type { Transport } from './transport.ts'

/** Keeps an account signed in. */
export interface SessionManager {
  /** The account that signs. Throws when there is none. */
  account(): Account
  /** Signs in anew. */
  signIn(): Promise<Session>
  /** Signs in if the account is not; asks the service once. */
  ensureSignedIn(): Promise<Session>
  /** Gets a CSRF token that holds. */
  renewToken(): Promise<unknown>
  session(): Promise<Session | null>
  /** Makes a call that needs a session; one more time when the session is over. */
  within<Value>(call: () => Promise<Value>): Promise<Value>
}

/** For an app where a person signs in: nothing here ever asks for that signature. */
export function callersSession(transport: Transport, retrier: Retrier = once) {
  return {
    ensureSignedIn: async (): Promise<void> => undefined,
    signIn: undefined,
    // The service gives a token with every answer about the session.
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
  let ready: Promise<Session> | undefined

  function account(): Account {
    if (options.account === undefined)
      throw new CoinslotError('this needs an account: give `account` to createCoinslot')
    return options.account
  }

  const session = (): Promise<Session | null> => currentSession(transport, retrier)

  async function present(): Promise<Session> {
    const found = await session()
    const isOurs = found?.address.toLowerCase() === account().address.toLowerCase()
    const isThere = isOurs && (chainId === undefined || found?.chainId === chainId)
    return isThere && found !== null ? found : signIn(transport, account(), { chainId }, retrier)
  }

  /** The next caller tries anew where this one failed. */
  function hold(coming: Promise<Session>): Promise<Session> {
    ready = coming
    coming.catch(() => {
      if (ready === coming) ready = undefined
    })
    return coming
  }

  const manager: SessionManager = {
    account,
    session,
    signIn: () => hold(signIn(transport, account(), { chainId }, retrier)),
    renewToken: session,
    ensureSignedIn: () => ready ?? hold(present()),
    within: async (call) => {
      await manager.ensureSignedIn()
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof ProblemError) || error.problem.code !== 'unauthenticated') throw error
        await manager.signIn()
        return call()
      }
    },
  }
  return manager
}
