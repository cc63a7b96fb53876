/** Where a wallet's signed payment stands in `localStorage`, before the payer's address in lower case. */
export const KEPT = 'coinslot.payment.'

type Keys = Pick<Storage, 'length' | 'key'>

/** Payers with a payment waiting, in this browser. Known to the first page, which loads the rest only for them. */
export function pendingPayers(storage: Keys = localStorage): string[] {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')
  return keys.filter((key) => key.startsWith(KEPT)).map((key) => key.slice(KEPT.length))
}
