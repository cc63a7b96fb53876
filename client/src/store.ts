/** A payment that was signed and whose result is not here yet: all that is needed to get it, and never to pay twice. */
export interface PendingPayment {
  /** Drawn by us. */
  id: string
  origin: string
  /** In lower case. */
  payer: string
  /** The request exactly as it is sent, members in order. */
  body: string
  /** The `Payment-Signature` header. */
  header: string
  network: string
  asset: string
  /** Atomic units. */
  amount: string
  /** Unix seconds after which the signature is worth nothing. */
  validBefore: number
  /** Once the service has told it. */
  inferenceId: string | undefined
}

/** Which kept payment is wanted. */
export interface Wanted {
  origin: string
  payer: string
  /** That very request. */
  body?: string
  /** That very payment. */
  id?: string
}

/** Where signed payments are kept until their result is here. Whoever saves or takes one holds it until `release` or `remove`. */
export interface PaymentStore {
  /** Keeps a payment, or what is new about it. Called before the payment is first sent. */
  save(payment: PendingPayment): Promise<void>
  /** One kept payment that nobody holds; null when there is none. */
  take(wanted: Wanted): Promise<PendingPayment | null>
  /** Stays kept, held by nobody. */
  release(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** All kept payments of a wallet that nobody holds. */
  list(wanted: Wanted): Promise<PendingPayment[]>
}

export const isWanted = (payment: PendingPayment, wanted: Wanted): boolean =>
  payment.origin === wanted.origin &&
  payment.payer === wanted.payer &&
  (wanted.body === undefined || payment.body === wanted.body) &&
  (wanted.id === undefined || payment.id === wanted.id)

/** Keeps payments as long as the process lives. */
export function memoryStore(): PaymentStore {
  const kept = new Map<string, PendingPayment>()
  return storeOver({
    read: () => [...kept.values()],
    write: (payment) => void kept.set(payment.id, payment),
    drop: (id) => void kept.delete(id),
  })
}

/** What `localStorage` and `sessionStorage` offer. */
export interface WebStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/**
 * Keeps payments in a browser's storage, so that they outlive the page. A payment counts as held within this page only: a
 * second tab that asks for the very same request at the same time joins the first tab's payment.
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

interface Shelf {
  read(): PendingPayment[]
  write(payment: PendingPayment): void
  drop(id: string): void
}

function storeOver(shelf: Shelf): PaymentStore {
  const held = new Set<string>()
  const free = (wanted: Wanted): PendingPayment[] =>
    shelf.read().filter((payment) => !held.has(payment.id) && isWanted(payment, wanted))
  return {
    save: async (payment) => {
      held.add(payment.id)
      shelf.write(payment)
    },
    take: async (wanted) => {
      const payment = free(wanted)[0] ?? null
      if (payment !== null) held.add(payment.id)
      return payment
    },
    release: async (id) => void held.delete(id),
    remove: async (id) => {
      shelf.drop(id)
      held.delete(id)
    },
    list: async (wanted) => free(wanted),
  }
}
