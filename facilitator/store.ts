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

/** A settlement's transaction, stored before it is sent. */
export interface SentTransaction extends Settlement {
  /** The key that pays its gas, lower case. */
  signer: string
  /** That key's transaction count, not the authorization's nonce. */
  accountNonce: number
  /** Its gas limit: the most that a revert can cost. */
  gas: bigint
  /** True when it counts against the trial budget (see `gas-budget.ts`). */
  isTrial: boolean
  hash: Hex
  /** The signed transaction. Sending it again is harmless: its nonce makes it the same one. */
  raw: Hex
  /** Hashes that it had at lower fees, the oldest first. Any of them may still be the one that is mined. */
  replaced: readonly Hex[]
  sentAt: Date
  /** When it got the fees it has now. */
  pricedAt: Date
  /** When its receipt was first seen; null before that. */
  endedAt: Date | null
}

/** The same transaction at higher fees. */
export type Repriced = Pick<SentTransaction, 'hash' | 'raw' | 'pricedAt'>

/** What a receipt says of a settlement. */
export interface Outcome {
  isReverted: boolean
  /** It reverted because another transaction made the same transfer first: the revert is not the payer's doing. */
  isPaid?: boolean
  gasUsed: bigint
  at: Date
}

/** What the store remembers about an authorization, its payer and a signing key. All sums are in gas. */
export interface Standing {
  /** A transaction of this very authorization reverted. */
  hasReverted: boolean
  payerRevertedAt: Date | null
  /** Lost to reverts of this payer since the time asked for. */
  payerLost: bigint
  /** Lost to all reverts of the signing key since the time asked for. */
  keyLost: bigint
  /** The part of `keyLost` that was sent on trial. */
  trialLost: bigint
  /** Gas limits of this payer's successful settlements since its last revert. */
  credit: bigint
}

export type StandingQuery = Pick<SentTransaction, 'network' | 'signer' | 'payer' | 'key'> & { since: Date }

/** Every hash under which a settlement may be mined, the newest first. */
export const hashesOf = ({ hash, replaced }: Pick<SentTransaction, 'hash' | 'replaced'>): Hex[] => [
  hash,
  ...replaced.toReversed(),
]

/**
 * Settlements that were sent and not answered yet, and what past ones cost. An entry is stored before its transaction is sent, so
 * that a crash loses none, and removed once the final answer has been sent.
 */
export interface SettlementStore {
  find(key: string): Promise<SentTransaction | null>
  /** Throws when that authorization, or that nonce of the signer, has an entry already. */
  record(sent: SentTransaction): Promise<void>
  /** Stores higher fees and keeps the old hash. Returns false when there is no such entry, or `old` is no longer its hash. */
  replace(key: string, old: Hex, by: Repriced): Promise<boolean>
  /** Marks an entry as ended, once: a revert is kept, a success adds to the payer's credit. Returns false when that was done before. */
  end(key: string, outcome: Outcome): Promise<boolean>
  forget(key: string): Promise<void>
  /** Every entry of a network, the lowest account nonce first. */
  open(network: string): Promise<SentTransaction[]>
  standing(query: StandingQuery): Promise<Standing>
  /** Drops reverts and credits that are older than these times. */
  prune(before: { reverts: Date; credits: Date }): Promise<void>
  /** Resolves when the store answers. */
  ping(): Promise<void>
}
