import { ConnectionError, isSignedOut, ProblemError } from '@coinslot/client/problem'
import type { Accessor } from 'solid-js'
import { buyerFor } from '../lib/purchase/buyers.ts'
import { ifFree, whenFree } from '../lib/purchase/locks.ts'
import { step } from '../lib/purchase/machine.ts'
import { outcomeOf } from '../lib/purchase/outcome.ts'
import { keptPayment } from '../lib/purchase/payment-store.ts'
import { pendingPayers } from '../lib/purchase/pending-payers.ts'
import type { Notice } from '../lib/purchase/refusal.ts'
import { payerOf } from '../lib/purchase/signer.ts'
import { isAsking, isPaying, type Purchase, type PurchaseEvent, type RequestDraft } from '../lib/purchase/states.ts'
import { isDemo } from '../lib/wallet/demo-id.ts'
import { sameAddress, type WalletOption } from '../lib/wallet/provider.ts'
import { messages } from '../messages/en.ts'
import { type Identity, refusalOf } from './create-identity.ts'
import { makePaymentRun } from './make-payment-run.ts'

export interface PurchaseDeps {
  state: Accessor<Purchase>
  setState(next: (before: Purchase) => Purchase): void
  identity: Identity
  /** Chains that this deployment takes payments on, the first one is its own. */
  servedChains(): Promise<readonly number[]>
  /** Called when a purchase has ended, so that balances, prices and the history are read anew. */
  onSettled(): void
}

export type PurchaseActions = ReturnType<typeof makePurchase>

/** The purchase, from the button to the result: what the library tells and asks for, as states of the page. */
export function makePurchase(deps: PurchaseDeps) {
  const { state, identity } = deps
  /** Grows with every start and every cancel: what an older turn still awaits has no effect any more. */
  let turn = 0

  const dispatch = (event: PurchaseEvent): void => deps.setState((before) => step(before, event))
  const run = makePaymentRun({ state, dispatch, identity, quote, onSettled: deps.onSettled })

  async function begin(draft: RequestDraft): Promise<void> {
    if (isAsking(state()) || isPaying(state())) return
    turn += 1
    await proceed(draft)
  }

  /** The next thing that a draft needs: a wallet, a sign-in, a price. Without a draft: only what waits to be collected. */
  async function proceed(draft: RequestDraft | null): Promise<void> {
    const mine = turn
    await identity.ready
    if (mine !== turn) return
    const connected = identity.wallet()
    const session = identity.session()
    if (connected === null) return dispatch({ type: 'need_wallet', draft })
    if (!session || !sameAddress(session.address, connected.address)) return askSignIn(draft, connected.option)
    if (draft !== null && keptPayment(session.address) === null) return quote(draft, null)
    dispatch({ type: 'dismiss', notice: null })
    await resume()
  }

  async function askSignIn(draft: RequestDraft | null, option: WalletOption): Promise<void> {
    dispatch({ type: 'need_sign_in', draft })
    // The demo wallet opens no window, so no tap of the person is needed for one.
    if (isDemo(option)) await signIn()
  }

  async function pickWallet(option: WalletOption): Promise<void> {
    const mine = turn
    const refusal = await identity.connect(option)
    const now = state()
    // The wallet's own event may have moved on already.
    if (mine !== turn || now.at !== 'wallet') return
    if (refusal === null) return proceed(now.draft)
    dispatch({
      type: 'need_wallet',
      draft: now.draft,
      notice: refusal.trouble === 'pending' ? 'wallet_pending' : 'cancelled',
    })
  }

  async function signIn(): Promise<void> {
    const before = state()
    if (before.at !== 'sign_in' || before.waiting) return
    const mine = turn
    dispatch({ type: 'sign_in_waits' })
    try {
      await identity.signIn(await deps.servedChains())
      if (mine === turn) await proceed(before.draft)
    } catch (error) {
      if (mine === turn) dispatch({ type: 'sign_in_failed', ...signInTrouble(error) })
    }
  }

  async function quote(draft: RequestDraft, notice: Notice | null): Promise<void> {
    const mine = turn
    const payer = identity.wallet()
    if (payer === null) return dispatch({ type: 'need_wallet', draft })
    dispatch({ type: 'quoting', draft })
    const { task, model, input } = draft
    const event = await buyerFor(payerOf(payer.address), null)
      .quote({ task, model, input }, { tries: 1 })
      .then(
        (priced) => ({ type: 'quoted', selection: { quote: priced, chosen: 0, from: payer.address }, notice }) as const,
        (error: unknown) => outcomeOf(error),
      )
    if (mine !== turn) return
    if ('type' in event) return dispatch(event)
    if (event.end !== 'stopped') return
    if (!isSignedOut(event.problem)) return dispatch({ type: 'stopped', problem: event.problem })
    await identity.refresh()
    await askSignIn(draft, payer.option)
  }

  /** Signs what the sheet shows and pays. A second call while the first is on its way does nothing. */
  async function sign(): Promise<void> {
    const before = state()
    const connected = identity.wallet()
    if (before.at !== 'review' || connected === null) return
    const { draft, selection } = before
    const mine = turn
    dispatch({ type: 'signing', step: 'chain' })
    const onSignature = (): void => {
      if (mine === turn) dispatch({ type: 'signing', step: 'signature' })
    }
    const free = await ifFree(selection.from, () => {
      const kept = keptPayment(selection.from)
      if (kept !== null && kept.body !== selection.quote.body) dispatch({ type: 'dismiss', notice: null })
      // Another tab left it behind. It is finished first, and not as if it were this draft where it is another one.
      if (kept !== null) return run.goOn(kept)
      return run.pay(connected.option.provider, draft, selection, onSignature)
    })
    if (!free && mine === turn) dispatch({ type: 'unsigned', notice: 'other_tab' })
  }

  /** Takes up a payment that was signed earlier and whose result is not here: after a reload, or in another tab. */
  async function resume(): Promise<void> {
    await identity.ready
    const session = identity.session()
    const payment = session ? keptPayment(session.address) : null
    if (payment === null) {
      const [payer] = pendingPayers()
      if (payer !== undefined && !session) dispatch({ type: 'awaiting_sign_in', payer })
      return
    }
    const { payer } = payment
    if (isPaying(state()) || (await ifFree(payer, () => collectKept(payer)))) return
    dispatch({ type: 'other_tab', payment })
    await whenFree(payer, () => collectKept(payer))
  }

  /** With the wallet's lock held: another tab may have brought its payment to an end meanwhile. */
  async function collectKept(payer: string): Promise<void> {
    const kept = keptPayment(payer)
    if (kept !== null) return run.goOn(kept)
    dispatch({ type: 'over' })
    deps.onSettled()
  }

  function cancel(notice: Notice | null = 'cancelled'): void {
    if (isPaying(state())) return
    turn += 1
    run.stop()
    dispatch({ type: 'dismiss', notice: state().at === 'done' || state().at === 'stopped' ? null : notice })
  }

  /** Gives up a payment of which the server just said that it was not used; not while it is being sent once more. */
  function abandon(): void {
    const now = state()
    if (now.at !== 'paying' || now.wait?.problem?.paymentState !== 'unused' || !run.isResting()) return
    turn += 1
    run.stop()
    void run.forget(now.payment)
    dispatch({ type: 'over' })
  }

  /** The wallet came, went, or moved to another account. */
  function walletChanged(first: boolean): void {
    const now = state()
    if (first && now.at === 'wallet') void proceed(now.draft)
    else if (!first && isAsking(now) && now.at !== 'wallet') cancel('account_changed')
  }

  const choose = (chosen: number): void => dispatch({ type: 'choose', chosen })
  const collect = async (): Promise<void> => {
    if (state().at === 'awaiting_sign_in') await proceed(null)
  }
  /** Only signs in, without anything to buy. */
  const enter = async (): Promise<void> => {
    if (isAsking(state()) || isPaying(state())) return
    turn += 1
    await proceed(null)
  }

  return {
    begin,
    pickWallet,
    signIn,
    choose,
    sign,
    resume,
    cancel,
    abandon,
    walletChanged,
    collect,
    enter,
    requote: quote,
  }
}

function signInTrouble(error: unknown): { notice: Notice | null; error: string | null } {
  if (error instanceof ProblemError) return { notice: null, error: error.problem.detail }
  if (error instanceof ConnectionError) return { notice: null, error: messages.errors.offline }
  const { trouble, said } = refusalOf(error)
  if (trouble === 'rejected') return { notice: 'cancelled', error: null }
  if (trouble === 'pending') return { notice: 'wallet_pending', error: null }
  return { notice: null, error: messages.wallet.failed(said) }
}
