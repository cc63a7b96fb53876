import type { Account } from '@coinslot/client/account'
import { type Buyer, callersSession, makeBuyer, type Sleep } from '@coinslot/client/buyer'
import { service } from '../api.ts'
import { waitOnline } from './locks.ts'
import { type Label, paymentStore } from './payment-store.ts'

/**
 * The library as this site buys with it: a person signs in and signs, each by a tap of their own, and what was signed is sent until
 * its outcome is here, however long that takes.
 */
export function buyerFor(account: Account, label: Label | null, sleep: Sleep = waitOnline): Buyer {
  const transport = service()
  return makeBuyer({
    transport,
    account: () => account,
    store: paymentStore(label),
    session: callersSession(transport),
    tries: Number.POSITIVE_INFINITY,
    sleep,
  })
}

/** For every paid call: nothing but an outcome, or the person, ends it. */
export const NO_LIMIT = { timeoutSeconds: Number.POSITIVE_INFINITY }
