import type { Account } from '../account.ts'
import type { Budget } from '../budget.ts'
import type { Retrier } from '../retry.ts'
import type { SignInChallenge } from '../session/challenge.ts'
import type { Transport } from '../session/transport.ts'
import type { WalletProof } from '../session/wallet-proof.ts'
import type { PaymentStore, PendingPayment } from '../store.ts'
import type { Terms } from './choose.ts'
import type { OfferCheck } from './signed-offer.ts'

/** The service's facts about the payer. */
export interface Payer {
  /** CAIP-2. */
  network: string
  /** Balances there in atomic units; null when they are unknown. `wrappedAic` pays, `aic` has to be wrapped first. */
  usdc: bigint | null
  wrappedAic: bigint | null
  aic: bigint | null
  /** True if it pays less than the base price. */
  hasDiscount: boolean
}

/** Reads about the payer, without retries: they must not delay a purchase. Null when nothing is known. Never throws. */
export interface PayerReader {
  /** Answers `challenge` unless it knows another one. */
  read(challenge?: SignInChallenge): Promise<Payer | null>
  /** True if it needs no challenge. */
  isReady(): boolean
}

/** The common state of every purchase of a client. */
export interface PurchaseContext {
  transport: Transport
  account: Account
  store: PaymentStore
  budget: Budget | undefined
  payer: PayerReader | undefined
  /** The chain to pay on, where the caller asked for one. */
  chainId: number | undefined
  proof: WalletProof
  /** Compares signed offers with the price. A page has none: its calls have a session, and get no signed offers. */
  offerCheck: OfferCheck | undefined
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

/** A signed payment to deliver, and the challenge that its first sending answers. A kept one has none. */
export interface Signed {
  payment: PendingPayment
  challenge: SignInChallenge | undefined
}
