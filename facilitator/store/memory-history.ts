import type { Entry, HistoryQuery, Outcome, RevertHistory, TransactionId } from './store.ts'

interface Revert {
  network: string
  /** Null where the payer is not to blame. */
  payer: string | null
  isTrial: boolean
  gas: bigint
  at: Date
}

/** Reverts and credits kept at most; the oldest go first. */
const MAX_KEPT = 10_000

const creditKey = ({ network, payer }: Pick<Entry, 'network' | 'payer'>) => `${network} ${payer}`

/** The cost of past settlements, in memory: the gas of reverts, and each payer's credit. */
export function makeMemoryHistory() {
  const reverts = new Map<string, Revert>()
  const credits = new Map<string, { gas: bigint; at: Date }>()

  return {
    /** Counts the outcomes of these entries of a transaction: all successes first, since a revert removes the payer's credit. */
    count(entries: readonly Entry[], id: TransactionId, outcomes: readonly Outcome[], at: Date): void {
      for (const entry of entries) {
        const outcome = outcomes.find(({ key }) => key === entry.key)
        if (outcome?.isReverted) continue
        const gas = (credits.get(creditKey(entry))?.gas ?? 0n) + entry.gas
        putBounded(credits, creditKey(entry), { gas, at })
      }
      for (const entry of entries) {
        const {
          isReverted,
          isBlameless = false,
          isInBatch,
          gasUsed,
        } = outcomes.find(({ key }) => key === entry.key) ?? {}
        if (!isReverted) continue
        if (!isBlameless) credits.delete(creditKey(entry))
        const { network, isTrial } = entry
        const rowKey = isInBatch ? `${entry.key} in ${id.signer} ${id.accountNonce}` : entry.key
        putBounded(reverts, rowKey, {
          network,
          payer: isBlameless ? null : entry.payer,
          isTrial,
          gas: gasUsed ?? 0n,
          at,
        })
      }
    },
    histories(network: string, queries: readonly HistoryQuery[], since: Date): RevertHistory[] {
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
    prune(before: { reverts: Date; credits: Date }): void {
      for (const [key, { at }] of reverts) if (at < before.reverts) reverts.delete(key)
      for (const [payer, { at }] of credits) if (at < before.credits) credits.delete(payer)
    },
  }
}

const gasOf = (list: readonly { gas: bigint }[]): bigint => list.reduce((sum, { gas }) => sum + gas, 0n)

function putBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > MAX_KEPT && !oldest.done) map.delete(oldest.value)
}
