/**
 * A cache of computed values, kept per owner: an object whose life bounds that of the values, such as the configuration.
 * Values only, never a promise: on Workers, I/O belongs to one request.
 */
export interface IsolateCache<Value> {
  get(owner: object, key: string): Value | undefined
  /** Does not keep a key longer than 1,024 characters: callers may choose keys, but not how much memory they take. */
  set(owner: object, key: string, value: Value): void
}

const MAX_ENTRIES = 1_000
const MAX_KEY_LENGTH = 1_024

/** A per-isolate cache, cleared when it reaches 1,000 entries. */
export function makeIsolateCache<Value>(): IsolateCache<Value> {
  const byOwner = new WeakMap<object, Map<string, Value>>()
  return {
    get: (owner, key) => byOwner.get(owner)?.get(key),
    set(owner, key, value) {
      if (key.length > MAX_KEY_LENGTH) return
      const known = byOwner.get(owner)
      const values = known === undefined || known.size >= MAX_ENTRIES ? new Map<string, Value>() : known
      byOwner.set(owner, values.set(key, value))
    },
  }
}
