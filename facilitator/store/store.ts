import type { Hex } from 'viem'

/** One authorization and what it moves. Addresses are lower case. */
export interface Settlement {
  /** Network, asset, payer and nonce: the same for every signature over one authorization. */
  key: string
  network: string
  asset: Hex
  payer: Hex
  /** Atomic units of the asset. */
  value: bigint
  /** The payer's. An outcome is returned only to a caller that brings this signature. */
  signature: string
}

/** A settlement in a transaction. */
export interface Entry extends Settlement {
  /** Its part of the transaction's gas limit: the most that its failure can cost. */
  gas: bigint
  /** True when it counts against the trial budget (see `gas-budget.ts`). */
  isTrial: boolean
  /** When its outcome was counted; null before that. */
  endedAt: Date | null
}

/** A key's transaction count names its transaction, whatever its fees. */
export interface TransactionId {
  network: string
  /** The key that pays the gas, lower case. */
  signer: string
  /** That key's transaction count, not the authorization's nonce. */
  accountNonce: number
}

/** A transaction that settles one payment or many. It is stored before it is sent. */
export interface SentTransaction extends TransactionId {
  /** Its gas limit. */
  gas: bigint
  hash: Hex
  /** The signed transaction. Sending it again is harmless: its nonce makes it the same one. */
  raw: Hex
  /** Hashes that it had at lower fees, the oldest first. Any of them may still be the one that is mined. */
  replaced: readonly Hex[]
  sentAt: Date
  /** When it got the fees it has now. */
  pricedAt: Date
  /** When its receipt was first seen; null before that. */
  minedAt: Date | null
  /** The payments in it that are not answered yet. */
  entries: readonly Entry[]
}

/** The same transaction at higher fees. */
export type Repriced = Pick<SentTransaction, 'hash' | 'raw' | 'pricedAt'>

/** A settlement whose transaction is not mined yet. */
export type InFlight = Pick<Entry, 'key' | 'asset' | 'payer' | 'value' | 'gas' | 'isTrial'> &
  Pick<TransactionId, 'signer' | 'accountNonce'>

/** The facts of a settlement in a receipt. */
export interface Outcome {
  key: string
  isReverted: boolean
  /**
   * The revert is not the payer's doing: another transaction made the same transfer first, or the payer had no code in the batch
   * contract. Its gas is lost, and no payer is charged for it.
   */
  isBlameless?: boolean
  /** It failed inside a batch: its gas is lost, but the same authorization may be tried again alone. */
  isInBatch?: boolean
  gasUsed: bigint
}

export type HistoryQuery = Pick<Settlement, 'key' | 'payer'>

/** The facts that the store has about an authorization, its payer and a network. All sums are in gas. */
export interface RevertHistory {
  /** A transaction of this very authorization reverted. */
  hasReverted: boolean
  payerRevertedAt: Date | null
  /** Lost to reverts of this payer since the time asked for. */
  payerLost: bigint
  /** Lost to all reverts on the network since the time asked for, over all keys. */
  networkLost: bigint
  /** The part of `networkLost` that was sent on trial. */
  trialLost: bigint
  /** Gas limits of this payer's successful settlements since its last revert. */
  credit: bigint
}

/** Every hash under which a transaction may be mined, the newest first. */
export const hashesOf = ({ hash, replaced }: Pick<SentTransaction, 'hash' | 'replaced'>): Hex[] => [
  hash,
  ...replaced.toReversed(),
]

/**
 * Transactions that were sent, with the settlements in them that were not answered yet, and what past ones cost. A transaction is
 * stored before it is sent, so that a crash loses none. An entry is removed once its final answer has been sent; its transaction
 * stays until no reorganization of the chain can undo it.
 */
export interface SettlementStore {
  /** The transaction that this authorization is in. */
  find(key: string): Promise<SentTransaction | null>
  read(id: TransactionId): Promise<SentTransaction | null>
  /**
   * Stores a transaction with all its entries, or nothing. Returns the keys that have an entry already: with any, nothing was
   * stored. Throws when that nonce of the signer is taken.
   */
  record(sent: SentTransaction): Promise<readonly string[]>
  /** Stores higher fees and keeps the old hash. Returns false when `old` is no longer its hash. */
  replace(id: TransactionId, old: Hex, by: Repriced): Promise<boolean>
  /** Marks a transaction as mined and counts each outcome once: a revert is kept, a success adds to the payer's credit. Returns the keys that were counted now. */
  end(id: TransactionId, outcomes: readonly Outcome[], at: Date): Promise<readonly string[]>
  /** Marks a transaction as not mined: the block that held it is gone. */
  reopen(id: TransactionId): Promise<void>
  /** Removes a transaction that was never and will never be mined, with its entries. */
  discard(id: TransactionId): Promise<void>
  /** Removes an entry of this transaction: its answer was sent, or it is tried again in another one. */
  forget(key: string, id: TransactionId): Promise<void>
  /** Every transaction of a network that is not mined, the lowest account nonce first. */
  open(network: string): Promise<SentTransaction[]>
  /** The mined transactions of a signer whose nonce is `from` or more. */
  minedFrom(id: TransactionId): Promise<SentTransaction[]>
  /** The nonce after the highest one that is stored for a signer; zero without any. */
  nextNonce(id: Pick<TransactionId, 'network' | 'signer'>): Promise<number>
  inFlight(network: string): Promise<InFlight[]>
  /** The facts about each of these, in their order. */
  histories(network: string, queries: readonly HistoryQuery[], since: Date): Promise<RevertHistory[]>
  /** Drops what is older than these times: reverts, credits, answered transactions, and transactions whose caller never returned. */
  prune(before: { reverts: Date; credits: Date; answered: Date; left: Date }): Promise<void>
  /** Runs `work` while no other one of that network runs, in any process. */
  inTurn<T>(network: string, work: () => Promise<T>): Promise<T>
  /** Resolves when the store answers. */
  ping(): Promise<void>
}
