import type { InFlight, SentTransaction, TransactionId } from './store.ts'

const idOf = ({ network, signer, accountNonce }: TransactionId): string => `${network} ${signer} ${accountNonce}`

/** Transactions in memory, and where each payment's entry is. */
export function makeMemoryTransactions() {
  const transactions = new Map<string, SentTransaction>()
  /** The transaction of each entry. */
  const places = new Map<string, string>()
  const read = (id: TransactionId): SentTransaction | null => transactions.get(idOf(id)) ?? null
  const change = (id: TransactionId, by: Partial<SentTransaction>): void => {
    const sent = transactions.get(idOf(id))
    if (sent !== undefined) transactions.set(idOf(id), { ...sent, ...by })
  }

  return {
    all: (): SentTransaction[] => [...transactions.values()],
    find: (key: string): SentTransaction | null => transactions.get(places.get(key) ?? '') ?? null,
    read,
    change,
    /** Adds a transaction with its entries, or returns the keys that have an entry already. */
    add(sent: SentTransaction): string[] {
      const taken = sent.entries.map(({ key }) => key).filter((key) => places.has(key))
      if (taken.length > 0) return taken
      if (transactions.has(idOf(sent))) throw new Error('this nonce is taken')
      transactions.set(idOf(sent), sent)
      for (const { key } of sent.entries) places.set(key, idOf(sent))
      return []
    },
    remove(sent: SentTransaction): void {
      transactions.delete(idOf(sent))
      for (const { key } of sent.entries) places.delete(key)
    },
    removeEntry(key: string, id: TransactionId): void {
      if (places.get(key) !== idOf(id)) return
      const sent = read(id)
      places.delete(key)
      if (sent !== null) change(sent, { entries: sent.entries.filter((entry) => entry.key !== key) })
    },
  }
}

/** The mined ones of a signer whose nonce is this one or higher. */
export const minedFrom = (
  all: readonly SentTransaction[],
  { network, signer, accountNonce }: TransactionId,
): SentTransaction[] =>
  all.filter(
    (sent) =>
      sent.network === network && sent.signer === signer && sent.minedAt !== null && sent.accountNonce >= accountNonce,
  )

/** The nonce after the highest one of a signer; zero without any. */
export function nextNonceOf(
  all: readonly SentTransaction[],
  { network, signer }: Pick<TransactionId, 'network' | 'signer'>,
): number {
  const ours = all.filter((sent) => sent.network === network && sent.signer === signer)
  return Math.max(0, ...ours.map(({ accountNonce }) => accountNonce + 1))
}

export function inFlightOf(all: readonly SentTransaction[], network: string): InFlight[] {
  const ofNetwork = all.filter((sent) => sent.network === network)
  return ofNetwork.flatMap(({ signer, accountNonce, entries }) =>
    entries
      .filter(({ endedAt }) => endedAt === null)
      .map(({ key, asset, payer, value, gas, isTrial }): InFlight => {
        return { key, asset, payer, value, gas, isTrial, signer, accountNonce }
      }),
  )
}
