import { buysWithoutSiteData, pendingPayers } from '../../../shared/storage.ts'
import { ifFree, whenFree } from '../lib/purchase/locks.ts'
import { keptPayment } from '../lib/purchase/payment-store.ts'
import { isPaying } from '../lib/purchase/states.ts'
import type { PurchaseContext } from './purchase-context.ts'

/** Continues a payment that was signed earlier and has no result yet: after a reload, or from another tab. */
export async function resume(context: PurchaseContext): Promise<void> {
  const { identity, dispatch } = context
  await identity.ready
  const owner = buysWithoutSiteData() ? identity.wallet() : identity.session()
  const payment = owner ? keptPayment(owner.address) : null
  if (payment === null) {
    const [payer] = pendingPayers()
    if (payer !== undefined && !identity.session()) dispatch({ type: 'awaiting_sign_in', payer })
    return
  }
  const { payer } = payment
  if (isPaying(context.state()) || (await ifFree(payer, () => collectKept(context, payer)))) return
  dispatch({ type: 'other_tab', payment })
  await whenFree(payer, () => collectKept(context, payer))
}

/** Runs with the wallet's lock held. Another tab may have finished the payment meanwhile. */
async function collectKept(context: PurchaseContext, payer: string): Promise<void> {
  const kept = keptPayment(payer)
  if (kept !== null) return context.run.resume(kept)
  context.dispatch({ type: 'ended' })
  context.onSettled()
}
