import type { Hex } from 'viem'
import type { Transaction } from './transfers.ts'

const placeOf = ({ sender, accountNonce }: Transaction): string => `${sender} ${accountNonce}`

/** The transactions that wait for a block: one for each sender and nonce. */
export function makeMempool() {
  const mempool = new Map<string, Transaction>()
  /** The transactions replaced at higher fees: a miner may still have it. */
  const replaced = new Map<string, Transaction>()

  return {
    /** The one that waits with the same sender and nonce. */
    at: (transaction: Transaction): Transaction | undefined => mempool.get(placeOf(transaction)),
    put(transaction: Transaction): void {
      const known = mempool.get(placeOf(transaction))
      if (known !== undefined) replaced.set(placeOf(transaction), known)
      mempool.set(placeOf(transaction), transaction)
    },
    /** Puts a transaction of a block that is gone back, unless another one has its place. */
    putBack(transaction: Transaction): void {
      if (!mempool.has(placeOf(transaction))) mempool.set(placeOf(transaction), transaction)
    },
    /** Removes and returns what the next block takes: each sender's next nonces, at this base fee. */
    take(counts: Map<Hex, number>, baseFee: bigint): Transaction[] {
      const inOrder = [...mempool.values()].toSorted((a, b) => a.accountNonce - b.accountNonce)
      return inOrder.filter((transaction) => {
        const { sender, accountNonce, maxFee } = transaction
        if ((counts.get(sender) ?? 0) !== accountNonce || maxFee < baseFee) return false
        counts.set(sender, accountNonce + 1)
        return mempool.delete(placeOf(transaction))
      })
    },
    /** The count of a sender that has `count` mined transactions, with those that wait. */
    pendingCount(sender: Hex, count: number): number {
      let pending = count
      while (mempool.has(`${sender} ${pending}`)) pending += 1
      return pending
    },
    /** Miners take the transactions that were replaced, not those that replaced them. */
    oldOnesWin(): void {
      for (const [place, transaction] of mempool) mempool.set(place, replaced.get(place) ?? transaction)
    },
    /** A node that lost its mempool. */
    forgetMempool: (): void => mempool.clear(),
    /** The transactions with this authorization that wait for a block. */
    waiting: (nonce: Hex): Transaction[] =>
      [...mempool.values()].filter(({ calls }) => calls.some((call) => call.nonce === nonce)),
    mempoolSize: (): number => mempool.size,
  }
}
