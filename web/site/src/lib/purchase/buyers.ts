import type { Account } from '@coinslot/client/account'
import { type Buyer, cookieSession, makeBuyer, type Sleep, type WalletProof } from '@coinslot/client/buyer'
import { service } from '../api.ts'
import { waitOnline } from './locks.ts'
import { type Label, paymentStore } from './payment-store.ts'

let ownProof: WalletProof | null = null

/** Proves the wallet in all later purchases this way, in place of the session's cookie. */
export function useProof(proof: WalletProof): void {
  ownProof = proof
}

/**
 * The client library, set up for this site. A person signs in and signs, each with a separate tap. A signed payment is sent again
 * until it has an outcome, without a limit.
 */
export function buyerFor(account: Account, label: Label | null, sleep: Sleep = waitOnline): Buyer {
  const transport = service()
  return makeBuyer({
    transport,
    account: () => account,
    store: paymentStore(label),
    proof: ownProof ?? cookieSession(transport),
    tries: Number.POSITIVE_INFINITY,
    sleep,
  })
}

/** For every paid call: only an outcome or the person ends it. */
export const NO_LIMIT = { timeoutSeconds: Number.POSITIVE_INFINITY }
