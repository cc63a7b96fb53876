import type { Accessor } from 'solid-js'
import { step } from '../lib/purchase/machine.ts'
import type { Purchase, PurchaseEvent } from '../lib/purchase/states.ts'
import type { Identity } from './create-identity.ts'
import type { PaymentRun } from './make-payment-run.ts'

export interface PurchaseDeps {
  state: Accessor<Purchase>
  setState(next: (before: Purchase) => Purchase): void
  identity: Identity
  /** Chains that this deployment takes payments on. The first one is its own. */
  servedChains(): Promise<readonly number[]>
  /** Called when a purchase has ended, so that balances, prices and the history are loaded again. */
  onSettled(): void
}

/** The common state of the steps of a purchase. */
export interface PurchaseContext extends PurchaseDeps {
  dispatch(event: PurchaseEvent): void
  attempts: Attempts
  run: PaymentRun
}

/** Counts starts and cancels, so that the late answer of an older attempt has no effect. */
export interface Attempts {
  next(): void
  /** Returns a check that is true until the next start or cancel. */
  current(): () => boolean
}

export function makeAttempts(): Attempts {
  let count = 0
  return {
    next: () => {
      count += 1
    },
    current: () => {
      const mine = count
      return () => mine === count
    },
  }
}

export function makeDispatch(setState: PurchaseDeps['setState']): (event: PurchaseEvent) => void {
  return (event) => setState((before) => step(before, event))
}
