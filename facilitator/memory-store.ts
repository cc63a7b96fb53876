import type { SentTransaction, SettlementStore } from './store.ts'

interface Revert extends Pick<SentTransaction, 'network' | 'signer' | 'isTrial'> {
  /** Null where the payer paid by another transaction. */
  payer: string | null
  gas: bigint
  at: Date
}

/** Reverts and credits kept at most; the oldest go first. */
const MAX_KEPT = 10_000

/** A store that ends with its process: for the local stack and tests. */
export function makeMemoryStore(): SettlementStore {
  const entries = new Map<string, SentTransaction>()
  const reverts = new Map<string, Revert>()
  const credits = new Map<string, { gas: bigint; at: Date }>()
  const ofNetwork = (network: string) => [...entries.values()].filter((entry) => entry.network === network)
  const payerKey = ({ network, payer }: Pick<SentTransaction, 'network' | 'payer'>) => `${network} ${payer}`

  return {
    find: async (key) => entries.get(key) ?? null,
    async record(sent) {
      const isSame = (entry: SentTransaction) =>
        entry.signer === sent.signer && entry.accountNonce === sent.accountNonce
      if (entries.has(sent.key) || ofNetwork(sent.network).some(isSame)) throw new Error('this entry exists already')
      entries.set(sent.key, sent)
    },
    async replace(key, old, by) {
      const entry = entries.get(key)
      if (entry?.hash !== old) return false
      entries.set(key, { ...entry, ...by, replaced: [...entry.replaced, old] })
      return true
    },
    async end(key, { isReverted, isPaid = false, gasUsed, at }) {
      const entry = entries.get(key)
      if (entry === undefined || entry.endedAt !== null) return false
      entries.set(key, { ...entry, endedAt: at })
      const payer = payerKey(entry)
      const credit = credits.get(payer)?.gas ?? 0n
      if (!isPaid) credits.delete(payer)
      if (isReverted) putBounded(reverts, key, { ...entry, payer: isPaid ? null : entry.payer, gas: gasUsed, at })
      else putBounded(credits, payer, { gas: credit + entry.gas, at })
      return true
    },
    forget: async (key) => void entries.delete(key),
    open: async (network) => ofNetwork(network).sort((a, b) => a.accountNonce - b.accountNonce),
    async standing({ network, signer, payer, key, since }) {
      const past = [...reverts.values()].filter((revert) => revert.network === network)
      const recent = past.filter(({ at }) => at > since)
      const ofKey = recent.filter((revert) => revert.signer === signer)
      const times = past.filter((revert) => revert.payer === payer).map(({ at }) => at.getTime())
      return {
        hasReverted: reverts.has(key),
        payerRevertedAt: times.length === 0 ? null : new Date(Math.max(...times)),
        payerLost: gasOf(recent.filter((revert) => revert.payer === payer)),
        keyLost: gasOf(ofKey),
        trialLost: gasOf(ofKey.filter(({ isTrial }) => isTrial)),
        credit: credits.get(payerKey({ network, payer }))?.gas ?? 0n,
      }
    },
    async prune(before) {
      for (const [key, { at }] of reverts) if (at < before.reverts) reverts.delete(key)
      for (const [payer, { at }] of credits) if (at < before.credits) credits.delete(payer)
    },
    ping: async () => undefined,
  }
}

const gasOf = (list: readonly { gas: bigint }[]): bigint => list.reduce((sum, { gas }) => sum + gas, 0n)

function putBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > MAX_KEPT && !oldest.done) map.delete(oldest.value)
}
