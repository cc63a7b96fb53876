/** A payment that is about to be signed. */
export interface Spending {
  paymentId: string
  /** Atomic units of USDC. */
  amountAtomic: bigint
  payer: string
}

/**
 * A limit over many calls. Each payment is counted before it is signed, and stays counted: only the chain could prove that a signed
 * payment was never charged, and the service is not trusted to say so.
 */
export interface Budget {
  /** Counts a payment. Throws `BudgetError` when the budget is too small for it. */
  reserve(spending: Spending): Promise<void>
  /** Stops counting a payment that was not signed. */
  cancel(paymentId: string): Promise<void>
}
