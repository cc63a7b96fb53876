import { type KeyValueStorage, siteStorage } from '../storage.ts'

/** Key of a wallet's signed payment in `localStorage`. The payer's address in lower case follows. */
export const PAYMENT_KEY = 'coinslot.payment.'

/** Payers with an unfinished payment in this browser. The first page reads it, and loads the buying code only if there are any. */
export function pendingPayers(storage: Pick<KeyValueStorage, 'length' | 'key'> = siteStorage()): string[] {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')
  return keys.filter((key) => key.startsWith(PAYMENT_KEY)).map((key) => key.slice(PAYMENT_KEY.length))
}
