import { makeTurnsOf } from '../timing.ts'
import { makeMemoryHistory } from './memory-history.ts'
import { inFlightOf, makeMemoryTransactions, minedFrom, nextNonceOf } from './memory-transactions.ts'
import type { SettlementStore } from './store.ts'

/** A store that ends with its process: for the local stack and tests. */
export function makeMemoryStore(): SettlementStore {
  const { all, find, read, change, add, remove, removeEntry } = makeMemoryTransactions()
  const history = makeMemoryHistory()

  return {
    find: async (key) => find(key),
    read: async (id) => read(id),
    record: async (sent) => add(sent),
    async replace(id, old, by) {
      const sent = read(id)
      if (sent?.hash !== old) return false
      change(id, { ...by, replaced: [...sent.replaced, old] })
      return true
    },
    async end(id, outcomes, at) {
      const sent = read(id)
      if (sent === null) return []
      const counted = sent.entries.filter(
        ({ key, endedAt }) => endedAt === null && outcomes.some((outcome) => outcome.key === key),
      )
      const entries = sent.entries.map((entry) => (counted.includes(entry) ? { ...entry, endedAt: at } : entry))
      change(id, { entries, minedAt: at })
      history.count(counted, id, outcomes, at)
      return counted.map(({ key }) => key)
    },
    reopen: async (id) => change(id, { minedAt: null }),
    async discard(id) {
      const sent = read(id)
      if (sent !== null) remove(sent)
    },
    forget: async (key, id) => removeEntry(key, id),
    open: async (network) =>
      all()
        .filter((sent) => sent.network === network && sent.minedAt === null)
        .sort((a, b) => a.accountNonce - b.accountNonce),
    minedFrom: async (id) => minedFrom(all(), id),
    nextNonce: async (id) => nextNonceOf(all(), id),
    inFlight: async (network) => inFlightOf(all(), network),
    histories: async (network, queries, since) => history.histories(network, queries, since),
    async prune(before) {
      history.prune(before)
      for (const sent of all()) {
        const isAnswered = sent.entries.length === 0 && sent.minedAt !== null && sent.minedAt < before.answered
        if (isAnswered || (sent.minedAt !== null && sent.sentAt < before.left)) remove(sent)
      }
    },
    inTurn: makeTurnsOf(),
    ping: async () => undefined,
  }
}
