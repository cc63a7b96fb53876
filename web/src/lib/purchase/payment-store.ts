import { isFields, maybeNum, maybeStr } from '../shape.ts'

const PREFIX = 'coinslot.payment.'

/** A payment that was signed and whose result is not here yet. It is sent again exactly as it is. */
export interface SignedPayment {
  /** Payer, lower case. */
  payer: string
  /** Value of the `Payment-Signature` header. */
  header: string
  /** The request body, byte for byte as it was quoted. */
  body: string
  /** What the person sees of it while it runs. */
  label: {
    model: string
    modelName: string
    task: string
    amount: string
    symbol: string
    network: string
    estimatedSeconds: number
  }
  signedAtMs: number
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  readonly length: number
  key(i: number): string | null
}

/** Keeps the payment before it is first sent. Throws when the browser refuses to store (then nothing may be sent). */
export function keepPayment(payment: SignedPayment, store: Store = localStorage): void {
  store.setItem(PREFIX + payment.payer, JSON.stringify(payment))
}

/** The payment of that wallet that still waits for its result, or null. */
export function keptPayment(payer: string, store: Store = localStorage): SignedPayment | null {
  return read(store.getItem(PREFIX + payer.toLowerCase()))
}

/** Forgets it: its result is here, or it can never be taken. */
export function dropPayment(payment: SignedPayment, store: Store = localStorage): void {
  // Another payment may stand there by now: only this one is removed.
  if (keptPayment(payment.payer, store)?.header === payment.header) store.removeItem(PREFIX + payment.payer)
}

/** Payers with a payment waiting, in this browser. */
export function waitingPayers(store: Store = localStorage): string[] {
  const keys = Array.from({ length: store.length }, (_, i) => store.key(i) ?? '')
  return keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length))
}

function read(text: string | null): SignedPayment | null {
  if (text === null) return null
  try {
    const from: unknown = JSON.parse(text)
    if (!isFields(from) || !isFields(from['label'])) return null
    const [payer, header, body] = [maybeStr(from, 'payer'), maybeStr(from, 'header'), maybeStr(from, 'body')]
    if (payer === null || header === null || body === null) return null
    const label = from['label']
    return {
      payer,
      header,
      body,
      label: {
        model: maybeStr(label, 'model') ?? '',
        modelName: maybeStr(label, 'modelName') ?? '',
        task: maybeStr(label, 'task') ?? '',
        amount: maybeStr(label, 'amount') ?? '',
        symbol: maybeStr(label, 'symbol') ?? '',
        network: maybeStr(label, 'network') ?? '',
        estimatedSeconds: maybeNum(label, 'estimatedSeconds') ?? 0,
      },
      signedAtMs: maybeNum(from, 'signedAtMs') ?? 0,
    }
  } catch {
    return null
  }
}
