import { ConnectionError, ProblemError } from '@coinslot/client/problem'
import type { Accessor } from 'solid-js'
import { buyerFor } from '../lib/purchase/buyers.ts'
import { endingOf } from '../lib/purchase/ending.ts'
import { ifFree, whenFree } from '../lib/purchase/locks.ts'
import { step } from '../lib/purchase/machine.ts'
import type { Remark } from '../lib/purchase/not-signed.ts'
import { keptPayment } from '../lib/purchase/payment-store.ts'
import { payerOf } from '../lib/purchase/signer.ts'
import { isAsking, isPaying, type Purchase, type PurchaseEvent, type Wish } from '../lib/purchase/states.ts'
import { waitingPayers } from '../lib/purchase/waiting.ts'
import { isDemo } from '../lib/wallet/demo-id.ts'
import { sameAddress, type WalletOption } from '../lib/wallet/provider.ts'
import { words } from '../words/en.ts'
import { type Identity, refusalOf } from './create-identity.ts'
import { makeFollower } from './make-follower.ts'

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
  const follower = makeFollower({ state, dispatch, identity, quote, onSettled: deps.onSettled })

  async function begin(wish: Wish): Promise<void> {
    if (isAsking(state()) || isPaying(state())) return
    turn += 1
    await proceed(wish)
  }

  /** The next thing that a wish needs: a wallet, a sign-in, a price. Without a wish: only what waits to be collected. */
  async function proceed(wish: Wish | null): Promise<void> {
    const mine = turn
    await identity.ready
    if (mine !== turn) return
    const connected = identity.wallet()
    const session = identity.session()
    if (connected === null) return dispatch({ type: 'need_wallet', wish })
    if (!session || !sameAddress(session.address, connected.address)) return askSignIn(wish, connected.option)
    if (wish !== null && keptPayment(session.address) === null) return quote(wish, null)
    dispatch({ type: 'dismiss', remark: null })
    await resume()
  }

  async function askSignIn(wish: Wish | null, option: WalletOption): Promise<void> {
    dispatch({ type: 'need_sign_in', wish })
    // The demo wallet opens no window, so no tap of the person is needed for one.
    if (isDemo(option)) await signIn()
  }

  async function pickWallet(option: WalletOption): Promise<void> {
    const mine = turn
    const refusal = await identity.connect(option)
    const now = state()
    // The wallet's own event may have moved on already.
    if (mine !== turn || now.at !== 'wallet') return
    if (refusal === null) return proceed(now.wish)
    dispatch({
      type: 'need_wallet',
      wish: now.wish,
      remark: refusal.trouble === 'pending' ? 'wallet_pending' : 'cancelled',
    })
  }

  async function signIn(): Promise<void> {
    const before = state()
    if (before.at !== 'sign_in' || before.waiting) return
    const mine = turn
    dispatch({ type: 'sign_in_waits' })
    try {
      await identity.signIn(await deps.servedChains())
      if (mine === turn) await proceed(before.wish)
    } catch (error) {
      if (mine === turn) dispatch({ type: 'sign_in_failed', ...signInTrouble(error) })
    }
  }

  async function quote(wish: Wish, remark: Remark | null): Promise<void> {
    const mine = turn
    const payer = identity.wallet()
    if (payer === null) return dispatch({ type: 'need_wallet', wish })
    dispatch({ type: 'quoting', wish })
    const { task, model, input } = wish
    const event = await buyerFor(payerOf(payer.address), null)
      .quote({ task, model, input }, { tries: 1 })
      .then(
        (priced) => ({ type: 'quoted', bill: { quote: priced, chosen: 0, from: payer.address }, remark }) as const,
        (error: unknown) => endingOf(error),
      )
    if (mine !== turn) return
    if ('type' in event) return dispatch(event)
    if (event.end !== 'stopped') return
    if (event.problem.code !== 'unauthenticated') return dispatch({ type: 'stopped', problem: event.problem })
    await identity.refresh()
    await askSignIn(wish, payer.option)
  }

  /** Signs what the sheet shows and pays. A second call while the first is on its way does nothing. */
  async function sign(): Promise<void> {
    const before = state()
    const connected = identity.wallet()
    if (before.at !== 'review' || connected === null) return
    const { wish, bill } = before
    const mine = turn
    dispatch({ type: 'signing', step: 'chain' })
    const onSignature = (): void => {
      if (mine === turn) dispatch({ type: 'signing', step: 'signature' })
    }
    const free = await ifFree(bill.from, () => {
      const kept = keptPayment(bill.from)
      if (kept !== null && kept.body !== bill.quote.body) dispatch({ type: 'dismiss', remark: null })
      // Another tab left it behind. It is finished first, and not as if it were this wish where it is another one.
      if (kept !== null) return follower.goOn(kept)
      return follower.pay(connected.option.provider, wish, bill, onSignature)
    })
    if (!free && mine === turn) dispatch({ type: 'unsigned', remark: 'other_tab' })
  }

  /** Takes up a payment that was signed earlier and whose result is not here: after a reload, or in another tab. */
  async function resume(): Promise<void> {
    await identity.ready
    const session = identity.session()
    const payment = session ? keptPayment(session.address) : null
    if (payment === null) {
      const [payer] = waitingPayers()
      if (payer !== undefined && !session) dispatch({ type: 'held', payer })
      return
    }
    const { payer } = payment
    if (isPaying(state()) || (await ifFree(payer, () => collectKept(payer)))) return
    dispatch({ type: 'elsewhere', payment })
    await whenFree(payer, () => collectKept(payer))
  }

  /** With the wallet's lock held: another tab may have brought its payment to an end meanwhile. */
  async function collectKept(payer: string): Promise<void> {
    const kept = keptPayment(payer)
    if (kept !== null) return follower.goOn(kept)
    dispatch({ type: 'over' })
    deps.onSettled()
  }

  function cancel(remark: Remark | null = 'cancelled'): void {
    if (isPaying(state())) return
    turn += 1
    follower.stop()
    dispatch({ type: 'dismiss', remark: state().at === 'done' || state().at === 'stopped' ? null : remark })
  }

  /** Gives up a payment of which the server just said that it was not used; not while it is being sent once more. */
  function abandon(): void {
    const now = state()
    if (now.at !== 'paying' || now.wait?.problem?.paymentState !== 'unused' || !follower.isResting()) return
    turn += 1
    follower.stop()
    void follower.forget(now.payment)
    dispatch({ type: 'over' })
  }

  /** The wallet came, went, or moved to another account. */
  function walletChanged(first: boolean): void {
    const now = state()
    if (first && now.at === 'wallet') void proceed(now.wish)
    else if (!first && isAsking(now) && now.at !== 'wallet') cancel('account_changed')
  }

  const choose = (chosen: number): void => dispatch({ type: 'choose', chosen })
  const collect = async (): Promise<void> => {
    if (state().at === 'held') await proceed(null)
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

function signInTrouble(error: unknown): { remark: Remark | null; error: string | null } {
  if (error instanceof ProblemError) return { remark: null, error: error.problem.detail }
  if (error instanceof ConnectionError) return { remark: null, error: words.errors.offline }
  const { trouble, said } = refusalOf(error)
  if (trouble === 'rejected') return { remark: 'cancelled', error: null }
  if (trouble === 'pending') return { remark: 'wallet_pending', error: null }
  return { remark: null, error: words.wallet.failed(said) }
}
