import type { Outcome, SentTransaction, SettlementStore } from '../../../facilitator/store/store.ts'

/** The changes around a process that take one guard away. */
export interface Mutant {
  store(store: SettlementStore): SettlementStore
  /** Receipts claim that every transfer of a batch was made: as if the transaction's status decided. */
  claimsAll: boolean
  /** Every answer counts as sent. */
  alwaysSent: boolean
  /** A lost answer to a transaction says that it was refused. */
  lostIsRefusal: boolean
  /** The batch contract neither looks whether a payer has code, nor limits the gas of a payment. */
  asksNobody: boolean
}

const untouched: Mutant = {
  store: (store) => store,
  claimsAll: false,
  alwaysSent: false,
  lostIsRefusal: false,
  asksNobody: false,
}

/** The store where it is said of every failed payment that its payer is to blame, or is not. */
const blaming = (isBlameless: boolean) => (store: SettlementStore) => ({
  ...store,
  end: (...[id, outcomes, at]: Parameters<SettlementStore['end']>) =>
    store.end(
      id,
      outcomes.map((outcome): Outcome => ({ ...outcome, isBlameless })),
      at,
    ),
})

const MUTANTS = {
  none: untouched,
  /** Transactions are in this process's memory only. */
  stored: {
    ...untouched,
    store(store) {
      const own = new Map<string, SentTransaction>()
      const idOf = ({ signer, accountNonce }: { signer: string; accountNonce: number }) => `${signer} ${accountNonce}`
      return {
        ...store,
        record: async (sent) => {
          own.set(idOf(sent), sent)
          return []
        },
        find: async (key) =>
          [...own.values()].find(({ entries }) => entries.some((entry) => entry.key === key)) ?? null,
        read: async (id) => own.get(idOf(id)) ?? null,
        open: async () => [...own.values()],
        forget: async () => undefined,
      }
    },
  },
  /** The status of a batch decides, not the events of each payment. */
  events: { ...untouched, claimsAll: true },
  /** A payment that another process has stored is stored again. */
  taken: {
    ...untouched,
    store: (store) => ({
      ...store,
      record: async (sent) => {
        const taken = await store.record(sent)
        for (const key of taken) {
          const other = await store.find(key)
          if (other !== null) await store.forget(key, other)
        }
        return taken.length === 0 ? taken : store.record(sent)
      },
    }),
  },
  /** A transaction whose block is gone is not sent again. */
  reorganized: { ...untouched, store: (store) => ({ ...store, minedFrom: async () => [] }) },
  /** An entry is removed though its caller has left. */
  answered: { ...untouched, alwaysSent: true },
  /** A replaced transaction's old hash is lost. */
  replaced: {
    ...untouched,
    store: (store) => ({
      ...store,
      read: async (id) => {
        const sent = await store.read(id)
        return sent === null ? null : { ...sent, replaced: [] }
      },
    }),
  },
  /** A lost answer of a node counts as its refusal. */
  unclear: { ...untouched, lostIsRefusal: true },
  /** A payer that delegates to code after its check is asked in the batch, with all its gas. */
  inside: { ...untouched, asksNobody: true },
  /** A failed batch is charged to every payer in it. */
  blameless: { ...untouched, store: blaming(false) },
  /** A payer that had code in a failed batch is not charged. */
  guilty: { ...untouched, store: blaming(true) },
  /** A payer that paid before is refused for what the network lost. */
  known: {
    ...untouched,
    store: (store) => ({
      ...store,
      histories: async (...args) => (await store.histories(...args)).map((history) => ({ ...history, credit: 0n })),
    }),
  },
} satisfies Record<string, Mutant>

export type MutantName = keyof typeof MUTANTS
export const mutantOf = (name: MutantName): Mutant => MUTANTS[name]
export const isMutantName = (name: string): name is MutantName => Object.hasOwn(MUTANTS, name)
/** Every guard that can be removed. */
export const GUARDS = Object.keys(MUTANTS)
  .filter(isMutantName)
  .filter((name) => name !== 'none')
