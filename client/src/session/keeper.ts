import type { Account } from '../account.ts'
import { once, type Patience } from '../patience.ts'
import { CoinslotError, ProblemError } from '../problem.ts'
import { currentSession, type Session, signIn } from './sign-in.ts'
import type { Transport } from './transport.ts'

/** Keeps an account signed in. */
export interface SessionKeeper {
  /** The account that signs. Throws when there is none. */
  account(): Account
  /** Signs in anew. */
  signIn(): Promise<Session>
  /** Signs in if the account is not; asks the service once. */
  signedIn(): Promise<Session>
  /** Gets a CSRF token that holds. */
  renewToken(): Promise<unknown>
  session(): Promise<Session | null>
  /** Makes a call that needs a session; one more time when the session is over. */
  within<Value>(call: () => Promise<Value>): Promise<Value>
}

/** For an app where a person signs in: nothing here ever asks for that signature. */
export function callersSession(transport: Transport, patience: Patience = once) {
  return {
    signedIn: async (): Promise<void> => undefined,
    signIn: undefined,
    // The service gives a token with every answer about the session.
    renewToken: (): Promise<unknown> => currentSession(transport, patience),
  }
}

export function makeSessionKeeper(options: {
  transport: Transport
  patience: Patience
  account: Account | undefined
  chainId: number | undefined
}): SessionKeeper {
  const { transport, patience, chainId } = options
  let ready: Promise<Session> | undefined

  function account(): Account {
    if (options.account === undefined)
      throw new CoinslotError('this needs an account: give `account` to createCoinslot')
    return options.account
  }

  const session = (): Promise<Session | null> => currentSession(transport, patience)

  async function present(): Promise<Session> {
    const found = await session()
    const isOurs = found?.address.toLowerCase() === account().address.toLowerCase()
    const isThere = isOurs && (chainId === undefined || found?.chainId === chainId)
    return isThere && found !== null ? found : signIn(transport, account(), { chainId }, patience)
  }

  /** The next caller tries anew where this one failed. */
  function hold(coming: Promise<Session>): Promise<Session> {
    ready = coming
    coming.catch(() => {
      if (ready === coming) ready = undefined
    })
    return coming
  }

  const keeper: SessionKeeper = {
    account,
    session,
    signIn: () => hold(signIn(transport, account(), { chainId }, patience)),
    renewToken: session,
    signedIn: () => ready ?? hold(present()),
    within: async (call) => {
      await keeper.signedIn()
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof ProblemError) || error.problem.code !== 'unauthenticated') throw error
        await keeper.signIn()
        return call()
      }
    },
  }
  return keeper
}
