import type { WalletTrouble } from '../../../../shared/wallet/errors.ts'

/** A short message that goes with a state. Its text is in `purchaseMessages.notices`. */
export type Notice =
  | 'cancelled'
  | 'account_changed'
  | 'wrong_chain'
  | 'other_tab'
  | 'quote_renewed'
  | 'no_storage'
  | 'wallet_pending'
  | 'wallet_failed'
  | 'wallet_locked'

/** The notice about a wallet request that failed. */
export function noticeOf(trouble: WalletTrouble): Notice {
  if (trouble === 'locked') return 'wallet_locked'
  if (trouble === 'pending') return 'wallet_pending'
  return trouble === 'rejected' ? 'cancelled' : 'wallet_failed'
}

/** There is no signature, or it is not used. Nothing was sent. */
export class RefusalError extends Error {
  override name = 'RefusalError'
  readonly why: Notice
  /** The wallet's own message, or an empty string. */
  readonly walletMessage: string

  constructor(why: Notice, walletMessage = '') {
    super(why)
    this.why = why
    this.walletMessage = walletMessage
  }
}
