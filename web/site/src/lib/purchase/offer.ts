import { isUsdc, type Offer } from '@coinslot/client/buyer'
import { formatAmount, USDC_DECIMALS } from '../../../../../protocol/money.ts'
import { AIC_DECIMALS } from '../../../../shared/money.ts'
import { messages } from '../../messages/active.ts'
import type { Label } from './payment-store.ts'
import type { QuoteSelection, RequestDraft } from './states.ts'

/** The offer that the dialog shows and the wallet signs. */
export function offerOf({ quote, chosen }: Pick<QuoteSelection, 'quote' | 'chosen'>): Offer {
  const offer = quote.offers[chosen]
  if (offer === undefined) throw new Error('no such offer')
  return offer
}

/** USDC according to the library's table of contracts. The only other token is AIC. */
export function symbolOf(offer: Offer): 'USDC' | 'AIC' {
  return isUsdc(offer) ? 'USDC' : 'AIC'
}

/** The token's name for people. AIC pays only in its wrapped form. */
export function nameOf(offer: Offer): string {
  return isUsdc(offer) ? 'USDC' : messages.common.wrappedAic
}

export function decimalsOf(offer: Offer): number {
  return isUsdc(offer) ? USDC_DECIMALS : AIC_DECIMALS
}

/** The facts of a kept payment that the page shows. */
export function labelOf(draft: RequestDraft, offer: Offer): Label {
  return {
    model: draft.model,
    modelName: draft.modelName,
    task: draft.task,
    amount: formatAmount(offer.amount, decimalsOf(offer)),
    symbol: symbolOf(offer),
    network: offer.network,
    estimatedSeconds: draft.estimatedSeconds,
  }
}
