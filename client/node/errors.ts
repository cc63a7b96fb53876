import type { Hex } from 'viem'

/** A wrong command line, or a wrong argument of a tool. The message says what to write instead. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A keystore that cannot be opened. The message never holds anything of the key. */
export class KeystoreError extends Error {
  override name = 'KeystoreError'
}

/** An invalid receipt. The message says what is wrong. */
export class ReceiptError extends Error {
  override name = 'ReceiptError'
}

/**
 * Before anything is sent: `wrong_chain`, `no_wrapper` (no wrapped AIC at the address), `too_little` (AIC), `no_gas` (ether for the
 * fee), `refused` (by a contract or the node). After that, with `transaction`: `reverted` (only the fee was spent), `replaced` (by
 * another transaction of the wallet), `unmined` (not seen on the chain in time; it may still be mined).
 */
export type WrapFault =
  | 'wrong_chain'
  | 'no_wrapper'
  | 'too_little'
  | 'no_gas'
  | 'refused'
  | 'reverted'
  | 'replaced'
  | 'unmined'

/** AIC was not wrapped or unwrapped, or it is not known yet. */
export class WrapError extends Error {
  override name = 'WrapError'
  readonly fault: WrapFault
  /** The hash of the transaction that was sent; undefined when nothing was. */
  readonly transaction: Hex | undefined

  constructor(fault: WrapFault, message: string, { transaction, cause }: { transaction?: Hex; cause?: unknown } = {}) {
    super(transaction === undefined ? `${message} Nothing was sent.` : message, { cause })
    this.fault = fault
    this.transaction = transaction
  }
}
