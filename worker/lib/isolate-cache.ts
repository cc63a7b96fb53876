/**
 * A cache of computed values, kept per owner: an object whose life bounds that of the values, such as the configuration.
 * Values only, never a promise: on Workers, I/O belongs to one request.
 */
export interface IsolateCache<Value> {
  get(owner: object, key: string): Value | undefined
  /** Does not keep a key longer than 1,024 characters: callers may choose keys, but not how much memory they take. */
  set(owner: object, key: string, value: Value): void
}

interface Values<Value> {
  young: Map<string, Value>
  old: Map<string, Value> | undefined
  /** Milliseconds since 1970. */
  youngUntil: number
}

const MAX_YOUNG = 500
const YOUNG_MS = 10 * 60_000
const MAX_KEY_LENGTH = 1_024

/**
 * A per-isolate cache of at most 1,000 values, in two generations: a value that is not set again is dropped at the first
 * `set` 10 to 20 minutes after it, or when 500 to 1,000 others have come after it.
 */
export function makeIsolateCache<Value>(): IsolateCache<Value> {
  const byOwner = new WeakMap<object, Values<Value>>()
  return {
    get(owner, key) {
      const values = byOwner.get(owner)
      return values?.young.get(key) ?? values?.old?.get(key)
    },
    set(owner, key, value) {
      if (key.length > MAX_KEY_LENGTH) return
      let values = byOwner.get(owner)
      const now = Date.now()
      if (values === undefined || values.young.size >= MAX_YOUNG || now >= values.youngUntil) {
        values = { young: new Map(), old: values?.young, youngUntil: now + YOUNG_MS }
        byOwner.set(owner, values)
      }
      values.young.set(key, value)
    },
  }
}
