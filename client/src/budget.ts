/** What is about to be signed. */
export interface Spending {
  /** Atomic units of USDC. */
  amountAtomic: bigint
  payer: string
}

/** A part of the budget that one payment took. */
export interface Reservation {
  /** Nothing was signed: the part is free again. */
  cancel(): Promise<void>
  /** Signed, and not charged: free again once the signature is worth nothing, at this time (unix seconds). */
  lapse(validBefore: number): Promise<void>
}

/** A limit over many calls. The part of a payment is taken before it is signed, and stays taken unless the payment was not made. */
export interface Budget {
  /** Throws `BudgetError` when the rest does not hold the amount. */
  reserve(spending: Spending): Promise<Reservation>
}
