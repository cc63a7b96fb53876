import type { Buyer, Run, RunEvent } from '@coinslot/client/buyer'
import { type Provider, sameAddress } from '../../../shared/wallet/provider.ts'
import { buyerFor, NO_LIMIT } from '../lib/purchase/buyers.ts'
import { waitOnline } from '../lib/purchase/locks.ts'
import { labelOf, offerOf } from '../lib/purchase/offer.ts'
import { beforePayment, eventAfterPayer, isOver, type Outcome, outcomeOf } from '../lib/purchase/outcome.ts'
import { type KeptPayment, keptPayment } from '../lib/purchase/payment-store.ts'
import type { Notice } from '../lib/purchase/refusal.ts'
import { payerOf, signerOf } from '../lib/purchase/signer.ts'
import type { Purchase, PurchaseEvent, QuoteSelection, RequestDraft, SigningStep } from '../lib/purchase/states.ts'
import { readInference } from '../lib/records/inference.ts'
import type { Identity } from './create-identity.ts'

interface Page {
  state(): Purchase
  dispatch(event: PurchaseEvent): void
  identity: Identity
  quote(draft: RequestDraft, notice: Notice | null): Promise<void>
  onSettled(): void
}

export type PaymentRun = ReturnType<typeof makePaymentRun>

/** Runs of the client library as states of the page, one at a time. The caller has the wallet's lock. */
export function makePaymentRun(page: Page) {
  let running: AbortController | null = null
  let isResting = false

  async function rest(ms: number, signal?: AbortSignal): Promise<void> {
    isResting = true
    try {
      await waitOnline(ms, signal)
    } finally {
      isResting = false
    }
  }

  async function follow(buyer: Buyer, payer: string, start: (signal: AbortSignal) => Run): Promise<void> {
    running = new AbortController()
    const { signal } = running
    let isSigned = false
    try {
      for await (const event of start(signal)) {
        isSigned ||= event.event === 'signed' || event.event === 'resumed'
        showEvent(page, payer, event)
      }
    } catch (error) {
      if (signal.aborted) return
      await conclude(page, buyer, payer, outcomeOf(error))
    }
    if (!isSigned) return
    const end = page.state()
    page.identity.reconcile()
    if (hasLeft(page, payer)) namePayer(page, payer, end)
    page.onSettled()
  }

  return {
    /** Signs what the dialog shows, and pays. If it is cancelled before the signature, nothing is kept. */
    pay(
      provider: Provider,
      draft: RequestDraft,
      selection: QuoteSelection,
      onStep: (step: SigningStep) => void,
    ): Promise<void> {
      const offer = offerOf(selection)
      const buyer = buyerFor(signerOf(provider, selection.from, onStep), labelOf(draft, offer), rest)
      return follow(buyer, selection.from, (signal) => buyer.pay(selection.quote, offer, { ...NO_LIMIT, signal }))
    },
    /** Continues a kept payment. */
    resume(payment: KeptPayment): Promise<void> {
      const buyer = buyerFor(payerOf(payment.payer), payment.label, rest)
      return follow(buyer, payment.payer, (signal) => buyer.resume(payment.id, { ...NO_LIMIT, signal }))
    },
    /** Stops the present run. A payment that was signed stays kept. */
    stop: (): void => running?.abort(),
    /** True between two sends of a payment, when the server's last answer is still valid. */
    isResting: (): boolean => isResting,
    /** Removes a payment that the server called unused. */
    forget: (payment: KeptPayment): Promise<void> => buyerFor(payerOf(payment.payer), null).forget(payment.id),
  }
}

function hasLeft({ identity }: Page, payer: string): boolean {
  const now = identity.wallet()
  return now !== null && !sameAddress(now.address, payer)
}

/** The payer has left, and the outcome with it. Who is here now reads whose it is, and whether money was taken. */
function namePayer(page: Page, payer: string, end: Purchase): void {
  const event = eventAfterPayer(payer, keptPayment(payer) !== null, end)
  if (event !== null) page.dispatch(event)
}

function showEvent(page: Page, payer: string, event: RunEvent): void {
  if (event.event === 'signed' || event.event === 'resumed') {
    const payment = keptPayment(payer)
    if (payment !== null) page.dispatch({ type: 'paying', payment })
  } else if (event.event === 'result') page.dispatch({ type: 'done', inference: readInference(event.result) })
  else page.dispatch({ type: 'run_event', event })
}

/** Shows how a run ended without a result, and removes the payment if it is over. */
async function conclude(page: Page, buyer: Buyer, payer: string, outcome: Outcome): Promise<void> {
  const now = page.state()
  const draft = 'draft' in now ? now.draft : null
  switch (outcome.end) {
    case 'not_signed': {
      // Without cookies the wallet proves a long payment once more. It is kept also when the wallet refuses that.
      if (now.at === 'paying') return page.dispatch({ type: 'awaiting_sign_in', payer })
      if (outcome.why === 'account_changed') return page.dispatch({ type: 'dismiss', notice: outcome.why })
      return page.dispatch({ type: 'not_signed', notice: outcome.why, walletMessage: outcome.walletMessage })
    }
    case 'quote_expired':
      return draft === null ? undefined : page.quote(draft, 'quote_renewed')
    case 'signed_out':
      page.dispatch({ type: 'awaiting_sign_in', payer })
      return page.identity.refresh()
    case 'stopped': {
      const kept = keptPayment(payer)
      if (kept !== null && isOver(kept, outcome.payment)) await buyer.forget(kept.id)
      // A new price is for the account that asked, not for the one that is here now.
      if (outcome.problem.code !== 'quote_expired' || draft === null || hasLeft(page, payer)) {
        const isUnsigned = now.at === 'signing' && kept === null
        return page.dispatch({
          type: 'stopped',
          problem: isUnsigned ? beforePayment(outcome.problem) : outcome.problem,
        })
      }
      page.dispatch({ type: 'ended' })
      return page.quote(draft, 'quote_renewed')
    }
  }
}
