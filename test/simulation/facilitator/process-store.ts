import type { SettlementStore } from '../../../facilitator/store/store.ts'

/** The store's turns: a process that ends frees its own. */
export function makeTurns() {
  let holder: number | null = null
  const waiting: { owner: number; start(): void }[] = []
  function next(): void {
    const first = waiting.shift()
    holder = first?.owner ?? null
    first?.start()
  }
  return {
    take: (owner: number): Promise<void> =>
      new Promise((start) => {
        waiting.push({ owner, start })
        if (holder === null) next()
      }),
    free: (owner: number): void => {
      if (holder === owner) next()
    },
    died(owner: number): void {
      for (const each of waiting.filter((one) => one.owner === owner)) waiting.splice(waiting.indexOf(each), 1)
      if (holder === owner) next()
    },
  }
}

export type Turns = ReturnType<typeof makeTurns>

export type Reach = <T>(op: string, work: () => T | Promise<T>) => Promise<T>

/** The store as one process reaches it: each call may fail, be lost, or be the last one. */
export function reachedStore(store: SettlementStore, turns: Turns, owner: number, reach: Reach): SettlementStore {
  return {
    async inTurn(_network, work) {
      await reach('store.inTurn', () => undefined)
      await turns.take(owner)
      return work().finally(() => turns.free(owner))
    },
    find: (key) => reach('store.find', () => store.find(key)),
    read: (id) => reach('store.read', () => store.read(id)),
    record: (sent) => reach('store.record', () => store.record(sent)),
    replace: (...args) => reach('store.replace', () => store.replace(...args)),
    end: (...args) => reach('store.end', () => store.end(...args)),
    reopen: (id) => reach('store.reopen', () => store.reopen(id)),
    discard: (id) => reach('store.discard', () => store.discard(id)),
    forget: (...args) => reach('store.forget', () => store.forget(...args)),
    open: (network) => reach('store.open', () => store.open(network)),
    minedFrom: (id) => reach('store.minedFrom', () => store.minedFrom(id)),
    nextNonce: (id) => reach('store.nextNonce', () => store.nextNonce(id)),
    inFlight: (network) => reach('store.inFlight', () => store.inFlight(network)),
    histories: (...args) => reach('store.histories', () => store.histories(...args)),
    prune: (before) => store.prune(before),
    ping: () => store.ping(),
  }
}
