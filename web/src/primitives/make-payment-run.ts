import type { Buyer, Run, RunEvent } from '@coinslot/client/buyer'
import { buyerFor, FOR_EVER } from '../lib/purchase/buyers.ts'
import { waitOnline } from '../lib/purchase/locks.ts'
import { labelOf, offerOf } from '../lib/purchase/offer.ts'
import { outcomeOf } from '../lib/purchase/outcome.ts'
import { type KeptPayment, keptPayment } from '../lib/purchase/payment-store.ts'
import type { Notice } from '../lib/purchase/refusal.ts'
import { payerOf, signerOf } from '../lib/purchase/signer.ts'
import type { Purchase, PurchaseEvent, QuoteSelection, RequestDraft } from '../lib/purchase/states.ts'
import { readInference } from '../lib/records/inference.ts'
import type { Provider } from '../lib/wallet/provider.ts'
import type { Identity } from './create-identity.ts'

interface Page {
  state(): Purchase
  dispatch(event: PurchaseEvent): void
  identity: Identity
  quote(draft: RequestDraft, notice: Notice | null): Promise<void>
  onSettled(): void
}

/** Runs of the library as states of the page, one at a time. The wallet's lock is held by the caller. */
export function makePaymentRun(page: Page) {
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
  function pay(
    provider: Provider,
    draft: RequestDraft,
    selection: QuoteSelection,
    onSignature: () => void,
  ): Promise<void> {
    const offer = offerOf(selection)
    const buyer = buyerFor(signerOf(provider, selection.from, onSignature), labelOf(draft, offer), rest)
    return follow(buyer, selection.from, (signal) => buyer.pay(selection.quote, offer, { ...FOR_EVER, signal }))
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
    const draft = 'draft' in now ? now.draft : null
    const ending = outcomeOf(error)
    switch (ending.end) {
      case 'unsigned':
        if (ending.why === 'account_changed') return page.dispatch({ type: 'dismiss', notice: ending.why })
        return page.dispatch({ type: 'unsigned', notice: ending.why })
      case 'lapsed':
        return draft === null ? undefined : page.quote(draft, 'quote_renewed')
      case 'signed_out':
        page.dispatch({ type: 'awaiting_sign_in', payer })
        return page.identity.refresh()
      case 'stopped': {
        const kept = keptPayment(payer)
        const isLapsed = kept !== null && kept.validBefore * 1_000 < Date.now()
        if (kept !== null && (ending.fate === 'over' || (ending.fate === 'told_nothing' && isLapsed))) {
          await buyer.forget(kept.id)
        }
        if (ending.problem.code !== 'quote_expired' || draft === null) {
          return page.dispatch({ type: 'stopped', problem: ending.problem })
        }
        page.dispatch({ type: 'over' })
        return page.quote(draft, 'quote_renewed')
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
