/** Values worked out before, for an owner that lives as long as they hold (a configuration). Never a promise: I/O is one request's. */
export interface Memory<Value> {
  get(owner: object, key: string): Value | undefined
  /** Forgets the value at once when its key is longer than ours are: whoever chooses keys must not choose how much is held. */
  set(owner: object, key: string, value: Value): void
}

const MOST_ENTRIES = 1_000
const LONGEST_KEY = 512

/** A memory of this isolate. It is bounded in the simplest way: full, it begins anew. */
export function makeMemory<Value>(): Memory<Value> {
  const byOwner = new WeakMap<object, Map<string, Value>>()
  return {
    get: (owner, key) => byOwner.get(owner)?.get(key),
    set(owner, key, value) {
      if (key.length > LONGEST_KEY) return
      const known = byOwner.get(owner)
      const values = known === undefined || known.size >= MOST_ENTRIES ? new Map<string, Value>() : known
      byOwner.set(owner, values.set(key, value))
    },
  }
}
