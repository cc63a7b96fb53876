/** What is about to be signed. */
export interface Spending {
  /** The payment that will be kept under this name. */
  paymentId: string
  /** Atomic units of USDC. */
  amountAtomic: bigint
  payer: string
}

/** A limit over many calls. The part of a payment is taken before it is signed, and stays taken unless the payment was not made. */
export interface Budget {
  /** Throws `BudgetError` when the rest does not hold the amount. */
  reserve(spending: Spending): Promise<void>
  /** Nothing was signed: the part is free again. */
  cancel(paymentId: string): Promise<void>
  /** Signed, and not charged so far: free again once the signature is worth nothing, at this time (unix seconds). */
  expire(paymentId: string, at: number): Promise<void>
  /** It is sent again, so it may be charged after all: taken until told otherwise. */
  hold(paymentId: string): Promise<void>
}
