import type { Account } from '../account.ts'
import type { Budget } from '../budget.ts'
import type { Retrier } from '../retry.ts'
import type { Session } from '../session/sign-in.ts'
import type { Transport } from '../session/transport.ts'
import type { PaymentStore } from '../store.ts'
import type { Terms } from './choose.ts'

/** What the payer has where it is signed in: atomic units of USDC on that network (CAIP-2). */
export interface Funds {
  network: string
  usdc: bigint
}

/** What every purchase needs. */
export interface PurchaseContext {
  transport: Transport
  account: Account
  store: PaymentStore
  budget: Budget | undefined
  /** Asks what the payer has; null when that cannot be known now. Never throws. */
  funds: (() => Promise<Funds | null>) | undefined
  /** The chain to pay on, where the caller asked for one. */
  chainId: number | undefined
  /** The session. A client that signs in by itself does so first; null when the caller has not signed in. */
  presentSession(): Promise<Session | null>
  /** Makes sure that the account is signed in. */
  ensureSignedIn(): Promise<unknown>
  /** Signs in again; undefined where only the caller does, at a moment of its own. */
  signIn: (() => Promise<unknown>) | undefined
  /** Gets a CSRF token that holds. */
  renewToken(): Promise<unknown>
}

/** One purchase. */
export interface PurchaseOptions extends Terms {
  /** The request, keys sorted. */
  body: string
  /** Sign another payment when the service asks for one and says that the first is unused. */
  allowNewPayment: boolean
  /** A kept payment to go on with, rather than one for the same request. */
  paymentId: string | undefined
  /** Milliseconds after which an unfinished purchase is given up, its payment kept. */
  timeoutMs: number
  retrier: Retrier
  signal: AbortSignal | undefined
}
