import type { Entry, InFlight, SentTransaction, SettlementStore, TransactionId } from './store.ts'
import { makeTurnsOf } from './timing.ts'

interface Revert {
  network: string
  /** Null where the payer paid by another transaction. */
  payer: string | null
  isTrial: boolean
  gas: bigint
  at: Date
}

/** Reverts and credits kept at most; the oldest go first. */
const MAX_KEPT = 10_000

const idOf = ({ network, signer, accountNonce }: TransactionId): string => `${network} ${signer} ${accountNonce}`

/** A store that ends with its process: for the local stack and tests. */
export function makeMemoryStore(): SettlementStore {
  const transactions = new Map<string, SentTransaction>()
  /** The transaction of each entry. */
  const places = new Map<string, string>()
  const reverts = new Map<string, Revert>()
  const credits = new Map<string, { gas: bigint; at: Date }>()
  const inTurn = makeTurnsOf()
  const creditKey = ({ network, payer }: Pick<Entry, 'network' | 'payer'>) => `${network} ${payer}`
  const all = () => [...transactions.values()]
  const change = (id: TransactionId, by: Partial<SentTransaction>): void => {
    const sent = transactions.get(idOf(id))
    if (sent !== undefined) transactions.set(idOf(id), { ...sent, ...by })
  }
  const remove = (sent: SentTransaction): void => {
    transactions.delete(idOf(sent))
    for (const { key } of sent.entries) places.delete(key)
  }

  return {
    find: async (key) => transactions.get(places.get(key) ?? '') ?? null,
    read: async (id) => transactions.get(idOf(id)) ?? null,
    async record(sent) {
      const taken = sent.entries.map(({ key }) => key).filter((key) => places.has(key))
      if (taken.length > 0) return taken
      if (transactions.has(idOf(sent))) throw new Error('this nonce is taken')
      transactions.set(idOf(sent), sent)
      for (const { key } of sent.entries) places.set(key, idOf(sent))
      return []
    },
    async replace(id, old, by) {
      const sent = transactions.get(idOf(id))
      if (sent?.hash !== old) return false
      change(id, { ...by, replaced: [...sent.replaced, old] })
      return true
    },
    async end(id, outcomes, at) {
      const sent = transactions.get(idOf(id))
      if (sent === undefined) return []
      const counted = sent.entries.filter(
        ({ key, endedAt }) => endedAt === null && outcomes.some((outcome) => outcome.key === key),
      )
      const entries = sent.entries.map((entry) => (counted.includes(entry) ? { ...entry, endedAt: at } : entry))
      change(id, { entries, minedAt: at })
      for (const entry of counted) {
        const outcome = outcomes.find(({ key }) => key === entry.key)
        if (outcome?.isReverted) continue
        const gas = (credits.get(creditKey(entry))?.gas ?? 0n) + entry.gas
        putBounded(credits, creditKey(entry), { gas, at })
      }
      for (const entry of counted) {
        const { isReverted, isPaid = false, isInBatch, gasUsed } = outcomes.find(({ key }) => key === entry.key) ?? {}
        if (!isReverted) continue
        if (!isPaid) credits.delete(creditKey(entry))
        const { network, isTrial } = entry
        const rowKey = isInBatch ? `${entry.key} in ${id.signer} ${id.accountNonce}` : entry.key
        putBounded(reverts, rowKey, { network, payer: isPaid ? null : entry.payer, isTrial, gas: gasUsed ?? 0n, at })
      }
      return counted.map(({ key }) => key)
    },
    reopen: async (id) => change(id, { minedAt: null }),
    async discard(id) {
      const sent = transactions.get(idOf(id))
      if (sent !== undefined) remove(sent)
    },
    async forget(key, id) {
      if (places.get(key) !== idOf(id)) return
      const sent = transactions.get(idOf(id))
      places.delete(key)
      if (sent !== undefined) change(sent, { entries: sent.entries.filter((entry) => entry.key !== key) })
    },
    open: async (network) =>
      all()
        .filter((sent) => sent.network === network && sent.minedAt === null)
        .sort((a, b) => a.accountNonce - b.accountNonce),
    minedFrom: async ({ network, signer, accountNonce }) =>
      all().filter(
        (sent) =>
          sent.network === network &&
          sent.signer === signer &&
          sent.minedAt !== null &&
          sent.accountNonce >= accountNonce,
      ),
    async nextNonce({ network, signer }) {
      const ours = all().filter((sent) => sent.network === network && sent.signer === signer)
      return Math.max(0, ...ours.map(({ accountNonce }) => accountNonce + 1))
    },
    async inFlight(network) {
      const unmined = all().filter((sent) => sent.network === network)
      return unmined.flatMap(({ signer, accountNonce, entries }) =>
        entries
          .filter(({ endedAt }) => endedAt === null)
          .map(({ key, asset, payer, value, gas, isTrial }): InFlight => {
            return { key, asset, payer, value, gas, isTrial, signer, accountNonce }
          }),
      )
    },
    async standings(network, queries, since) {
      const past = [...reverts.values()].filter((revert) => revert.network === network)
      const recent = past.filter(({ at }) => at > since)
      const sums = { networkLost: gasOf(recent), trialLost: gasOf(recent.filter(({ isTrial }) => isTrial)) }
      return queries.map(({ key, payer }) => {
        const times = past.filter((revert) => revert.payer === payer).map(({ at }) => at.getTime())
        return {
          ...sums,
          hasReverted: reverts.has(key),
          payerRevertedAt: times.length === 0 ? null : new Date(Math.max(...times)),
          payerLost: gasOf(recent.filter((revert) => revert.payer === payer)),
          credit: credits.get(creditKey({ network, payer }))?.gas ?? 0n,
        }
      })
    },
    async prune(before) {
      for (const [key, { at }] of reverts) if (at < before.reverts) reverts.delete(key)
      for (const [payer, { at }] of credits) if (at < before.credits) credits.delete(payer)
      for (const sent of all()) {
        const isAnswered = sent.entries.length === 0 && sent.minedAt !== null && sent.minedAt < before.answered
        if (isAnswered || (sent.minedAt !== null && sent.sentAt < before.left)) remove(sent)
      }
    },
    inTurn,
    ping: async () => undefined,
  }
}

const gasOf = (list: readonly { gas: bigint }[]): bigint => list.reduce((sum, { gas }) => sum + gas, 0n)

function putBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > MAX_KEPT && !oldest.done) map.delete(oldest.value)
}
