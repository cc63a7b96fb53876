import { keepUntilClosed } from '../../../shared/storage.ts'
import type { WalletOption } from '../../../shared/wallet/provider.ts'
import { ifFree } from '../lib/purchase/locks.ts'
import { keptPayment } from '../lib/purchase/payment-store.ts'
import type { Notice } from '../lib/purchase/refusal.ts'
import { isAsking, isPaying, type RequestDraft, type SigningStep } from '../lib/purchase/states.ts'
import { pickWallet, proceed, quote, signIn } from './checkout.ts'
import type { WalletChange } from './create-identity.ts'
import { makePaymentRun } from './make-payment-run.ts'
import { makeAttempts, makeDispatch, type PurchaseContext, type PurchaseDeps } from './purchase-context.ts'
import { resume } from './recovery.ts'

export type PurchaseActions = ReturnType<typeof makePurchase>

/** A person's actions in a purchase, from the button to the result. */
export function makePurchase(deps: PurchaseDeps) {
  const dispatch = makeDispatch(deps.setState)
  const context: PurchaseContext = {
    ...deps,
    dispatch,
    attempts: makeAttempts(),
    run: makePaymentRun({ ...deps, dispatch, quote: (draft, notice) => quote(context, draft, notice) }),
  }
  return {
    begin: (draft: RequestDraft) => begin(context, draft),
    /** Only signs in, with nothing to buy. */
    signInOnly: () => begin(context, null),
    pickWallet: (option: WalletOption) => pickWallet(context, option),
    /** Buys in a browser that blocks site data: the wallet signs once more, and the payment is kept until the page is closed. */
    withoutSiteData: async () => {
      const now = deps.state()
      if (now.at !== 'site_data_blocked') return
      keepUntilClosed()
      await proceed(context, now.draft)
    },
    signIn: () => signIn(context),
    choose: (chosen: number) => dispatch({ type: 'choose', chosen }),
    sign: () => sign(context),
    resume: () => resume(context),
    /** Signs in to finish a kept payment. */
    collect: async () => {
      if (deps.state().at === 'awaiting_sign_in') await proceed(context, null)
    },
    cancel: (notice: Notice | null = 'cancelled') => cancel(context, notice),
    abandon: () => abandon(context),
    walletChanged: (change: WalletChange) => walletChanged(context, change),
  }
}

async function begin(context: PurchaseContext, draft: RequestDraft | null): Promise<void> {
  if (isAsking(context.state()) || isPaying(context.state())) return
  context.attempts.next()
  await proceed(context, draft)
}

/** Signs what the dialog shows and pays. A second call while the first is open does nothing. */
async function sign(context: PurchaseContext): Promise<void> {
  const { dispatch, run } = context
  const before = context.state()
  const connected = context.identity.wallet()
  if (before.at !== 'review' || connected === null) return
  const { draft, selection } = before
  const isCurrent = context.attempts.current()
  const onStep = (step: SigningStep): void => {
    if (isCurrent()) dispatch({ type: 'signing', step })
  }
  onStep('signature')
  const isFree = await ifFree(selection.from, () => {
    const kept = keptPayment(selection.from)
    // Finish the other tab's payment first. It may be for another request.
    if (kept !== null && kept.body !== selection.quote.body) dispatch({ type: 'dismiss', notice: null })
    if (kept !== null) return run.resume(kept)
    return run.pay(connected.option.provider, draft, selection, onStep)
  })
  if (!isFree && isCurrent()) dispatch({ type: 'not_signed', notice: 'other_tab', walletMessage: '' })
}

function cancel({ state, attempts, run, dispatch }: PurchaseContext, notice: Notice | null): void {
  if (isPaying(state())) return
  attempts.next()
  run.stop()
  dispatch({ type: 'dismiss', notice: state().at === 'done' || state().at === 'stopped' ? null : notice })
}

/** Gives up a payment that the server just called unused, but not while it is being sent again. */
function abandon({ state, attempts, identity, run, dispatch }: PurchaseContext): void {
  const now = state()
  if (now.at !== 'paying' || now.wait?.problem?.paymentState !== 'unused' || !run.isResting()) return
  attempts.next()
  run.stop()
  void run.forget(now.payment)
  dispatch({ type: 'ended' })
  identity.reconcile()
}

function walletChanged(context: PurchaseContext, change: WalletChange): void {
  const now = context.state()
  if (change === 'connected' && now.at === 'wallet') void proceed(context, now.draft)
  else if (change !== 'connected' && isAsking(now) && now.at !== 'wallet') {
    cancel(context, change === 'locked' ? 'wallet_locked' : 'account_changed')
  }
}
