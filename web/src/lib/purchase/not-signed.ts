/** A calm remark that goes with a state; its words are in the dictionary. */
export type Remark =
  | 'cancelled'
  | 'account_changed'
  | 'wrong_chain'
  | 'other_tab'
  | 'quote_renewed'
  | 'no_storage'
  | 'wallet_pending'

/** There is no signature, or it is not used; nothing was sent. */
export class NotSigned extends Error {
  override name = 'NotSigned'
  readonly why: Remark

  constructor(why: Remark) {
    super(why)
    this.why = why
  }
}
