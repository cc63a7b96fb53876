import type { Payment } from '../../db/queries/payment-row.ts'
import { type Chain, ChainUnavailable, type TransferQuery } from '../../worker/chain/chain.ts'
import { searchPeriod } from '../../worker/inference/recovery/chain-check.ts'

/** What the chain says of a payment, in words. Asked anew at every call; nothing is changed. */
export async function chainView(
  chain: Pick<Chain, 'authorizationStatus' | 'authorizationOutcome'>,
  payment: Payment,
): Promise<string> {
  const query: TransferQuery = {
    chainId: payment.chainId,
    asset: payment.asset,
    payer: payment.payer,
    payTo: `0x${payment.terms.payTo.slice(2)}`,
    amount: payment.amountAtomic,
    nonce: payment.nonce,
  }
  try {
    const { spent, blockTime } = await chain.authorizationStatus(query)
    if (!spent) return unspent(payment, blockTime)
    const { since, until } = searchPeriod(payment)
    const fate = await chain.authorizationOutcome(query, since, until)
    switch (fate.kind) {
      case 'transferred':
        return `paid by ${fate.transaction} at ${fate.blockTime.toISOString()}, ${fate.confirmations} deep`
      case 'cancelled':
        return 'cancelled by the payer: not paid'
      case 'elsewhere':
        return 'the authorization was used for another transfer: not paid to us'
      case 'not_found':
        return 'spent, but not within an hour before the claim or after it: not paid for this claim'
    }
  } catch (error) {
    if (error instanceof ChainUnavailable) return `cannot be asked: ${error.message}`
    throw error
  }
}

function unspent(payment: Payment, blockTime: Date): string {
  const lapsed = blockTime.getTime() >= Number(payment.authorization.validBefore) * 1000
  return lapsed ? 'unspent and lapsed: it can never be paid' : 'unspent: it may still be paid until it lapses'
}
