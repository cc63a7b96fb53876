/** The part of `localStorage` that this site uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'length' | 'key'>

/** Used if the browser blocks site data. It is empty, and writing throws. */
const BLOCKED: KeyValueStorage = {
  getItem: () => null,
  setItem: () => {
    throw new Error('this browser blocks site data')
  },
  removeItem: () => undefined,
  length: 0,
  key: () => null,
}

let substitute: KeyValueStorage = BLOCKED

/** Keeps what this page writes until it is closed, where the browser blocks site data. */
export function keepUntilClosed(): void {
  if (substitute !== BLOCKED) return
  const kept = new Map<string, string>()
  substitute = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
  }
}

/** True if the person continues without site data. */
export const buysWithoutSiteData = (): boolean => substitute !== BLOCKED

/** The storage of this site. Reading `localStorage` throws where site data is blocked; some app browsers have none at all. */
export function siteStorage(): KeyValueStorage {
  try {
    const storage: Storage | null = window.localStorage
    return storage ?? substitute
  } catch {
    return substitute
  }
}

/** Keeps a setting that the site can do without, or removes it (null). */
export function keepSetting(key: string, value: string | null): void {
  try {
    if (value === null) siteStorage().removeItem(key)
    else siteStorage().setItem(key, value)
  } catch {
    // The setting is then lost when the page is closed.
  }
}

/** True if the browser keeps what a purchase needs: the session's cookie and the signed payment. */
export function keepsSiteData(): boolean {
  return navigator.cookieEnabled && siteStorage() !== substitute
}

/** Key of a wallet's signed payment in `localStorage`. The payer's address in lower case follows. */
export const PAYMENT_KEY = 'coinslot.payment.'

/** Payers with an unfinished payment in this browser. The first page reads it, and loads the buying code only if there are any. */
export function pendingPayers(storage: Pick<KeyValueStorage, 'length' | 'key'> = siteStorage()): string[] {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')
  return keys.filter((key) => key.startsWith(PAYMENT_KEY)).map((key) => key.slice(PAYMENT_KEY.length))
}

const clearings: (() => void)[] = []

/** Calls `clear` whenever the account signs out or another one takes its place. For what a module keeps outside of components. */
export const onAccountLeft = (clear: () => void): void => void clearings.push(clear)

/** Clears what modules keep for an account. */
export function forgetAccount(): void {
  for (const clear of clearings) clear()
}
