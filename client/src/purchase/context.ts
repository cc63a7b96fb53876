import type { Account } from '../account.ts'
import type { Budget } from '../budget.ts'
import type { Retrier } from '../retry.ts'
import type { Session } from '../session/sign-in.ts'
import type { Transport } from '../session/transport.ts'
import type { PaymentStore } from '../store.ts'
import type { Terms } from './choose.ts'

/** The payer's balance in atomic units of USDC, on the network (CAIP-2) of its session. */
export interface Funds {
  network: string
  usdc: bigint
}

/** What every purchase of a client shares. */
export interface PurchaseContext {
  transport: Transport
  account: Account
  store: PaymentStore
  budget: Budget | undefined
  /** Reads the payer's balance; null when it is unknown. Never throws. */
  funds: (() => Promise<Funds | null>) | undefined
  /** The chain to pay on, where the caller asked for one. */
  chainId: number | undefined
  /** The session. A client that signs in by itself does so first; null when the caller has not signed in. */
  presentSession(): Promise<Session | null>
  /** Makes sure that the account is signed in. */
  ensureSignedIn(): Promise<unknown>
  /** Signs in again; undefined where only the caller signs in. */
  signIn: (() => Promise<unknown>) | undefined
  /** Gets a valid CSRF token. */
  renewToken(): Promise<unknown>
}

/** The options of one purchase. */
export interface PurchaseOptions extends Terms {
  /** The request as JSON, keys sorted. */
  body: string
  /** Sign another payment when the service asks for one and says that the first is unused. */
  allowNewPayment: boolean
  /** A kept payment to continue with, instead of one for the same request. */
  paymentId: string | undefined
  /** Milliseconds after which an unfinished purchase stops. Its payment is kept. */
  timeoutMs: number
  retrier: Retrier
  signal: AbortSignal | undefined
}
