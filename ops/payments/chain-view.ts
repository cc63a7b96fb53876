import type { Payment } from '../../db/queries/payment-row.ts'
import { type ChainCheckDeps, readChain } from '../../worker/domain/purchase/recovery/chain-check.ts'
import { ChainUnavailable } from '../../worker/upstreams/chain/chain.ts'

/**
 * The chain's state of a payment now, in words. It is the check that the service decides by, so it is the evidence for a refund
 * too. Changes nothing.
 */
export async function chainView(deps: ChainCheckDeps, payment: Payment): Promise<string> {
  try {
    const check = await readChain(deps, payment)
    switch (check.kind) {
      case 'paid': {
        const { transaction, blockTime, confirmations } = check.transfer
        return `paid by ${transaction} at ${blockTime.toISOString()}, ${confirmations} deep`
      }
      case 'unpaid':
        return UNPAID[check.reason]
      case 'expired':
        return 'unspent and expired: it can never be paid'
      case 'open':
        return check.mayStillBePaid ? 'unspent: it may still be paid until it expires' : tooYoung(deps)
    }
  } catch (error) {
    if (error instanceof ChainUnavailable) return `cannot be read: ${error.message}`
    throw error
  }
}

const UNPAID = {
  authorization_cancelled: 'cancelled by the payer: not paid',
  authorization_already_used: 'spent, but not by a transfer for this claim: not paid',
} as const

const tooYoung = ({ config }: ChainCheckDeps): string =>
  `paid, but not ${config.minConfirmations} deep yet: the service does not count it so far`
