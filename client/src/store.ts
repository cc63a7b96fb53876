/** A signed payment without a result: all that is needed to get the result, and not to pay twice. */
export interface PendingPayment {
  /** A random UUID of this client. */
  id: string
  origin: string
  /** In lower case. */
  payer: string
  /** The request exactly as it is sent, keys sorted. */
  body: string
  /** The `Payment-Signature` header. */
  header: string
  network: string
  asset: string
  /** Atomic units. */
  amount: string
  /** Unix seconds at which the signature expires. */
  validBefore: number
  /** Once the service has sent it. */
  inferenceId: string | undefined
}

/** Selects kept payments. */
export interface Wanted {
  origin: string
  payer: string
  /** The payment for this request. */
  body?: string
  /** The payment with this id. */
  id?: string
}

/** Keeps signed payments until they have a result. `save` and `take` lock a payment until `release` or `remove`. */
export interface PaymentStore {
  /** Writes a new or a changed payment. Called before the payment is first sent. */
  save(payment: PendingPayment): Promise<void>
  /** Locks and returns one payment that is not locked, or null. */
  take(wanted: Wanted): Promise<PendingPayment | null>
  /** Unlocks a payment. It stays kept. */
  release(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** All selected payments that are not locked. */
  list(wanted: Wanted): Promise<PendingPayment[]>
}

export const isWanted = (payment: PendingPayment, wanted: Wanted): boolean =>
  payment.origin === wanted.origin &&
  payment.payer === wanted.payer &&
  (wanted.body === undefined || payment.body === wanted.body) &&
  (wanted.id === undefined || payment.id === wanted.id)

/** Keeps payments in memory. */
export function memoryStore(): PaymentStore {
  const kept = new Map<string, PendingPayment>()
  return storeOver({
    read: () => [...kept.values()],
    write: (payment) => void kept.set(payment.id, payment),
    drop: (id) => void kept.delete(id),
  })
}

/** The part of `localStorage` and `sessionStorage` that is used. */
export interface WebStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/**
 * Keeps payments in a browser's storage, so that they survive the page. Locks apply to this page only: a second tab with the same
 * request at the same time joins the first tab's payment.
 */
export function webStore(storage: WebStorage, key = 'coinslot.payments'): PaymentStore {
  const read = (): PendingPayment[] => {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPending) : []
  }
  const write = (payments: PendingPayment[]): void => storage.setItem(key, JSON.stringify(payments))
  return storeOver({
    read,
    write: (payment) => write([...read().filter(({ id }) => id !== payment.id), payment]),
    drop: (gone) => write(read().filter(({ id }) => id !== gone)),
  })
}

const TEXTS = ['id', 'origin', 'payer', 'body', 'header', 'network', 'asset', 'amount'] as const

function isPending(value: unknown): value is PendingPayment {
  if (typeof value !== 'object' || value === null) return false
  const members: Record<string, unknown> = { ...value }
  return TEXTS.every((name) => typeof members[name] === 'string') && typeof members['validBefore'] === 'number'
}

interface PaymentRecords {
  read(): PendingPayment[]
  write(payment: PendingPayment): void
  drop(id: string): void
}

function storeOver(records: PaymentRecords): PaymentStore {
  const locked = new Set<string>()
  const free = (wanted: Wanted): PendingPayment[] =>
    records.read().filter((payment) => !locked.has(payment.id) && isWanted(payment, wanted))
  return {
    save: async (payment) => {
      locked.add(payment.id)
      records.write(payment)
    },
    take: async (wanted) => {
      const payment = free(wanted)[0] ?? null
      if (payment !== null) locked.add(payment.id)
      return payment
    },
    release: async (id) => void locked.delete(id),
    remove: async (id) => {
      records.drop(id)
      locked.delete(id)
    },
    list: async (wanted) => free(wanted),
  }
}
