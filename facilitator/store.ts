import type { Hex } from 'viem'

/** A settlement's transaction, written down before it was sent. */
export interface SentTransaction {
  /** The authorization it settles: network, asset, payer, nonce (see `authorizationKey`). */
  key: string
  network: string
  /** The key that pays its gas, lower case. */
  signer: string
  /** That key's transaction count, not the authorization's nonce. */
  accountNonce: number
  /** The payer's. Only who brings this very signature is told the outcome. */
  signature: string
  hash: Hex
  /** The signed transaction. Sending it again is harmless: its nonce makes it the same one. */
  raw: Hex
  /** Hashes that it had at lower fees, the oldest first. Any of them may still be the one that is mined. */
  replaced: readonly Hex[]
  sentAt: Date
  /** When it got the fees it has now. */
  pricedAt: Date
}

/** The same transaction at higher fees. */
export type Repriced = Pick<SentTransaction, 'hash' | 'raw' | 'pricedAt'>

/** Every hash under which a settlement may be mined, the newest first. */
export const hashesOf = ({ hash, replaced }: Pick<SentTransaction, 'hash' | 'replaced'>): Hex[] => [
  hash,
  ...replaced.toReversed(),
]

/**
 * Settlements that were sent and not answered yet. An entry is made before its transaction leaves, so that no death of the process
 * can lose one, and goes once the final answer has left.
 */
export interface SettlementStore {
  find(key: string): Promise<SentTransaction | null>
  /** Throws when that authorization, or that nonce of the signer, has an entry already. */
  record(sent: SentTransaction): Promise<void>
  /** Writes higher fees down and keeps the old hash. False when the entry is gone, or `old` is not its present hash any more. */
  replace(key: string, old: Hex, by: Repriced): Promise<boolean>
  forget(key: string): Promise<void>
  /** Every entry of a network, the lowest account nonce first. */
  open(network: string): Promise<SentTransaction[]>
  /** Resolves when the store answers. */
  ping(): Promise<void>
}

/** For one process that need not survive: the local stack and tests. */
export function makeMemoryStore(): SettlementStore {
  const entries = new Map<string, SentTransaction>()
  const ofNetwork = (network: string) => [...entries.values()].filter((entry) => entry.network === network)
  return {
    find: async (key) => entries.get(key) ?? null,
    async record(sent) {
      const isSame = (entry: SentTransaction) =>
        entry.signer === sent.signer && entry.accountNonce === sent.accountNonce
      if (entries.has(sent.key) || ofNetwork(sent.network).some(isSame)) throw new Error('there is such an entry')
      entries.set(sent.key, sent)
    },
    async replace(key, old, by) {
      const entry = entries.get(key)
      if (entry?.hash !== old) return false
      entries.set(key, { ...entry, ...by, replaced: [...entry.replaced, old] })
      return true
    },
    forget: async (key) => void entries.delete(key),
    open: async (network) => ofNetwork(network).sort((a, b) => a.accountNonce - b.accountNonce),
    ping: async () => undefined,
  }
}
