import { ConnectionError, isSignedOut, ProblemError } from '@coinslot/client/problem'
import { LoadError } from '../../../shared/load-code.ts'
import { buysWithoutSiteData, keepsSiteData, pendingPayers } from '../../../shared/storage.ts'
import { LOCKED, walletFailure } from '../../../shared/wallet/errors.ts'
import { isDemo, sameAddress, type WalletOption } from '../../../shared/wallet/provider.ts'
import { buyerFor, useProof } from '../lib/purchase/buyers.ts'
import { beforePayment, outcomeOf } from '../lib/purchase/outcome.ts'
import { keptPayment } from '../lib/purchase/payment-store.ts'
import { type Notice, noticeOf } from '../lib/purchase/refusal.ts'
import { payerOf, sayingWhy } from '../lib/purchase/signer.ts'
import type { RequestDraft } from '../lib/purchase/states.ts'
import { connectAndSignIn } from '../lib/wallet/connect-and-sign-in.ts'
import { messages, purchaseMessages } from '../messages/active.ts'
import type { Session } from './create-session.ts'
import type { PurchaseContext } from './purchase-context.ts'
import { resume } from './recovery.ts'

/** Without site data there is no signing in: only a purchase or a payment that this page keeps can continue. */
const isBlocked = (draft: RequestDraft | null): boolean =>
  !keepsSiteData() && !(buysWithoutSiteData() && (draft !== null || pendingPayers().length > 0))

/** Takes the next missing step: site data, wallet, sign-in, price. Without a draft it only continues a kept payment. */
export async function proceed(context: PurchaseContext, draft: RequestDraft | null): Promise<void> {
  const { identity, dispatch } = context
  if (isBlocked(draft)) return dispatch({ type: 'site_data_blocked', draft })
  const isCurrent = context.attempts.current()
  await identity.ready
  if (!isCurrent()) return
  const connected = identity.wallet()
  const session = identity.session()
  if (connected === null) return dispatch({ type: 'need_wallet', draft })
  if (!session || !sameAddress(session.address, connected.address)) return askSignIn(context, draft, connected.option)
  if (draft !== null && keptPayment(session.address) === null) return quote(context, draft, null)
  dispatch({ type: 'dismiss', notice: null })
  await resume(context)
}

async function askSignIn(context: PurchaseContext, draft: RequestDraft | null, option: WalletOption): Promise<void> {
  context.dispatch({ type: 'need_sign_in', draft })
  // The demo wallet opens no window, so it needs no tap of the person first.
  if (isDemo(option)) await signIn(context)
}

/** Connects the wallet that the person chose, and signs in where the wallet does both at once. */
export async function pickWallet(context: PurchaseContext, option: WalletOption): Promise<void> {
  const { identity } = context
  const isCurrent = context.attempts.current()
  let session: Session | null = null
  const ask = async (): Promise<unknown> => {
    const shared = await connectAndSignIn(option, context.servedChains)
    session = shared.session
    if (session !== null) identity.adopt(session)
    return shared.accounts
  }
  const failure = await identity
    .connect(option, ask)
    .then((isConnected) => (isConnected ? null : LOCKED), walletFailure)
  const now = context.state()
  // A wallet that reports its account first has opened the step that is done now.
  if (isCurrent() && session !== null && now.at === 'sign_in') return proceed(context, now.draft)
  // The wallet's own event may have moved on already.
  if (!isCurrent() || now.at !== 'wallet') return
  if (failure === null) return proceed(context, now.draft)
  context.dispatch({
    type: 'need_wallet',
    draft: now.draft,
    notice: noticeOf(failure.trouble),
    walletMessage: failure.walletMessage,
  })
}

/** Signs in with the connected wallet. A second call while the first is open does nothing. */
export async function signIn(context: PurchaseContext): Promise<void> {
  const before = context.state()
  if (before.at !== 'sign_in' || before.waiting) return
  const isCurrent = context.attempts.current()
  context.dispatch({ type: 'sign_in_started' })
  try {
    if (buysWithoutSiteData()) return await prove(context, before.draft)
    await context.identity.signIn(await context.servedChains())
    if (isCurrent()) await proceed(context, before.draft)
  } catch (error) {
    if (isCurrent()) context.dispatch({ type: 'sign_in_failed', ...signInFailure(error) })
  }
}

/** Without cookies the wallet signs each purchase, with its price, or once more where a kept payment continues. */
async function prove(context: PurchaseContext, draft: RequestDraft | null): Promise<void> {
  const payer = context.identity.wallet()
  if (payer === null) return context.dispatch({ type: 'need_wallet', draft })
  const [{ ownerOf }, { proofWithoutCookies }] = await Promise.all([
    import('../lib/wallet/sign-in.ts'),
    import('../lib/purchase/without-site-data.ts'),
  ])
  const { account, chain } = await ownerOf(payer.option.provider, payer.address)
  useProof(proofWithoutCookies(sayingWhy(account), chain ?? undefined))
  if (draft !== null && keptPayment(payer.address) === null) return quote(context, draft, null)
  context.dispatch({ type: 'dismiss', notice: null })
  await resume(context)
}

/** Gets the price of a draft. While the wallet is asked to prove itself, the sign-in stays on screen. */
export async function quote(context: PurchaseContext, draft: RequestDraft, notice: Notice | null): Promise<void> {
  const { identity, dispatch } = context
  const isCurrent = context.attempts.current()
  const payer = identity.wallet()
  if (payer === null) return dispatch({ type: 'need_wallet', draft })
  if (!buysWithoutSiteData()) dispatch({ type: 'quoting', draft })
  const { task, model, input } = draft
  const answer = await buyerFor(payerOf(payer.address), null)
    .quote({ task, model, input }, { tries: 1 })
    .catch((error: unknown) => outcomeOf(error))
  if (!isCurrent()) return
  if (!('end' in answer)) {
    dispatch({ type: 'quoting', draft })
    return dispatch({ type: 'quoted', selection: { quote: answer, chosen: 0, from: payer.address }, notice })
  }
  if (answer.end === 'not_signed') {
    const { why, walletMessage } = answer
    // Only the one that fits the state has an effect.
    dispatch({ type: 'sign_in_failed', ...refusalWords(why, walletMessage) })
    return dispatch({ type: 'not_signed', notice: why, walletMessage })
  }
  if (answer.end !== 'stopped') return
  if (!isSignedOut(answer.problem)) return dispatch({ type: 'stopped', problem: beforePayment(answer.problem) })
  await identity.refresh()
  await askSignIn(context, draft, payer.option)
}

const refusalWords = (notice: Notice, walletMessage: string): { notice: Notice; error: string | null } => ({
  notice,
  error: notice === 'wallet_failed' && walletMessage !== '' ? purchaseMessages.walletList.failed(walletMessage) : null,
})

function signInFailure(error: unknown): { notice: Notice | null; error: string | null } {
  if (error instanceof LoadError) return { notice: null, error: purchaseMessages.signIn.notLoaded }
  if (error instanceof ProblemError) return { notice: null, error: error.problem.detail }
  if (error instanceof ConnectionError) return { notice: null, error: messages.errors.offline }
  const { trouble, walletMessage } = walletFailure(error)
  if (trouble === 'rejected') return { notice: 'cancelled', error: null }
  if (trouble === 'pending') return { notice: 'wallet_pending', error: null }
  return { notice: null, error: purchaseMessages.walletList.failed(walletMessage) }
}
