import type { Buyer, Run, RunEvent } from '@coinslot/client/buyer'
import { buyerFor, FOR_EVER } from '../lib/purchase/buyers.ts'
import { endingOf } from '../lib/purchase/ending.ts'
import { waitOnline } from '../lib/purchase/locks.ts'
import type { Remark } from '../lib/purchase/not-signed.ts'
import { labelOf, offerOf } from '../lib/purchase/offer.ts'
import { type KeptPayment, keptPayment } from '../lib/purchase/payment-store.ts'
import { payerOf, signerOf } from '../lib/purchase/signer.ts'
import type { Bill, Purchase, PurchaseEvent, Wish } from '../lib/purchase/states.ts'
import { readInference } from '../lib/records/inference.ts'
import type { Provider } from '../lib/wallet/provider.ts'
import type { Identity } from './create-identity.ts'

interface Page {
  state(): Purchase
  dispatch(event: PurchaseEvent): void
  identity: Identity
  quote(wish: Wish, remark: Remark | null): Promise<void>
  onSettled(): void
}

/** Runs of the library as states of the page, one at a time. The wallet's lock is held by the caller. */
export function makeFollower(page: Page) {
  let running: AbortController | null = null
  /** Between two sendings of a payment. */
  let isResting = false

  async function rest(ms: number, signal?: AbortSignal): Promise<void> {
    isResting = true
    try {
      await waitOnline(ms, signal)
    } finally {
      isResting = false
    }
  }

  /** Signs what the sheet shows, and pays. What is called off before the signature leaves no trace. */
  function pay(provider: Provider, wish: Wish, bill: Bill, onSignature: () => void): Promise<void> {
    const offer = offerOf(bill)
    const buyer = buyerFor(signerOf(provider, bill.from, onSignature), labelOf(wish, offer), rest)
    return follow(buyer, bill.from, (signal) => buyer.pay(bill.quote, offer, { ...FOR_EVER, signal }))
  }

  /** Goes on with a kept payment. */
  function goOn(payment: KeptPayment): Promise<void> {
    const buyer = buyerFor(payerOf(payment.payer), payment.label, rest)
    return follow(buyer, payment.payer, (signal) => buyer.resume(payment.id, { ...FOR_EVER, signal }))
  }

  async function follow(buyer: Buyer, payer: string, start: (signal: AbortSignal) => Run): Promise<void> {
    running = new AbortController()
    const { signal } = running
    let isSigned = false
    try {
      for await (const event of start(signal)) {
        isSigned ||= event.event === 'signed' || event.event === 'resumed'
        hear(payer, event)
      }
    } catch (error) {
      if (signal.aborted) return
      await conclude(buyer, payer, error)
    }
    if (!isSigned) return
    page.identity.reconcile()
    page.onSettled()
  }

  function hear(payer: string, event: RunEvent): void {
    if (event.event === 'signed' || event.event === 'resumed') {
      const payment = keptPayment(payer)
      if (payment !== null) page.dispatch({ type: 'paying', payment })
    } else if (event.event === 'result') page.dispatch({ type: 'done', inference: readInference(event.result) })
    else page.dispatch({ type: 'news', news: event })
  }

  async function conclude(buyer: Buyer, payer: string, error: unknown): Promise<void> {
    const now = page.state()
    const wish = 'wish' in now ? now.wish : null
    const ending = endingOf(error)
    switch (ending.end) {
      case 'unsigned':
        if (ending.why === 'account_changed') return page.dispatch({ type: 'dismiss', remark: ending.why })
        return page.dispatch({ type: 'unsigned', remark: ending.why })
      case 'lapsed':
        return wish === null ? undefined : page.quote(wish, 'quote_renewed')
      case 'signed_out':
        page.dispatch({ type: 'held', payer })
        return page.identity.refresh()
      case 'stopped': {
        const kept = keptPayment(payer)
        const isLapsed = kept !== null && kept.validBefore * 1_000 < Date.now()
        if (kept !== null && (ending.fate === 'over' || (ending.fate === 'told_nothing' && isLapsed))) {
          await buyer.forget(kept.id)
        }
        if (ending.problem.code !== 'quote_expired' || wish === null) {
          return page.dispatch({ type: 'stopped', problem: ending.problem })
        }
        page.dispatch({ type: 'over' })
        return page.quote(wish, 'quote_renewed')
      }
    }
  }

  return {
    pay,
    goOn,
    /** Calls off what is under way. A payment that was signed stays kept. */
    stop: (): void => running?.abort(),
    /** Whether the payment is on its way nowhere, so that what the server said of it last still holds. */
    isResting: (): boolean => isResting,
    /** Gives up a payment of which the server said that it was not used. */
    forget: (payment: KeptPayment): Promise<void> => buyerFor(payerOf(payment.payer), null).forget(payment.id),
  }
}
