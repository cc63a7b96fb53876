import { isWanted, type PaymentStore, type PendingPayment } from '@coinslot/client/buyer'
import { fieldsAt, parseJson } from '@coinslot/client/json-fields'
import { fromHeader } from '../../../../../protocol/base64.ts'
import { type Fields, isFields, maybeNum, maybeStr } from '../../../../shared/shape.ts'
import { type KeyValueStorage, PAYMENT_KEY, pendingPayers, siteStorage } from '../../../../shared/storage.ts'
import { RefusalError } from './refusal.ts'

/** The facts of a payment that the page shows while it runs. */
export interface Label {
  model: string
  modelName: string
  task: string
  amount: string
  symbol: string
  network: string
  estimatedSeconds: number
}

/** A signed payment without a result, as this browser keeps it. */
export interface KeptPayment extends PendingPayment {
  label: Label
  signedAtMs: number
}

/** Where payments are kept; the page's own storage and origin. */
export interface Place {
  storage: KeyValueStorage
  origin: string
}

const here = (): Place => ({ storage: siteStorage(), origin: location.origin })

/** The wallet's payment that has no result yet, or null. */
export function keptPayment(payer: string, { storage, origin }: Place = here()): KeptPayment | null {
  const from = parseJson(storage.getItem(PAYMENT_KEY + payer.toLowerCase()) ?? '')
  return isFields(from) && isFields(from['label']) ? read(from, from['label'], origin) : null
}

/**
 * The library's store in `localStorage`. It adds a label to a new payment. It keeps one payment per wallet, since one is finished
 * before the next is signed. It needs no claims: the wallet's lock keeps tabs apart.
 */
export function paymentStore(label: Label | null, place: Place = here()): PaymentStore {
  const { storage } = place
  const wantedOne = ({ payer, body, id }: Parameters<PaymentStore['take']>[0]): KeptPayment | null => {
    const kept = keptPayment(payer, place)
    const wanted = { origin: place.origin, payer, ...(body !== undefined && { body }), ...(id !== undefined && { id }) }
    return kept !== null && isWanted(kept, wanted) ? kept : null
  }
  return {
    save: async (payment) => {
      const known = wantedOne(payment)
      const record = { ...payment, label: known?.label ?? label, signedAtMs: known?.signedAtMs ?? Date.now() }
      if (record.label === null) throw new Error('a payment without a label')
      try {
        storage.setItem(PAYMENT_KEY + payment.payer, JSON.stringify(record))
      } catch {
        // A payment that is kept already can continue. A new one that cannot be kept must not be sent.
        if (known === null) throw new RefusalError('no_storage')
      }
    },
    take: async (wanted) => wantedOne(wanted),
    release: async () => undefined,
    remove: async (id) => {
      // Another payment may be kept there by now. Only this one is removed.
      const payer = pendingPayers(storage).find((one) => keptPayment(one, place)?.id === id)
      if (payer !== undefined) storage.removeItem(PAYMENT_KEY + payer)
    },
    list: async (wanted) => [wantedOne(wanted)].filter((one) => one !== null),
  }
}

/** Reads a record. An earlier version of the site kept less; the header has the rest. */
function read(from: Fields, label: Fields, origin: string): KeptPayment | null {
  const [payer, header, body] = [maybeStr(from, 'payer'), maybeStr(from, 'header'), maybeStr(from, 'body')]
  if (payer === null || header === null || body === null) return null
  const { nonce, ...facts } = signedFacts(header)
  return {
    ...facts,
    id: maybeStr(from, 'id') ?? nonce,
    payer,
    origin,
    header,
    body,
    inferenceId: maybeStr(from, 'inferenceId') ?? undefined,
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
}

/** The values inside a payment header. */
function signedFacts(header: string) {
  const decoded = fromHeader(header)
  const from = isFields(decoded) ? decoded : {}
  const authorization = fieldsAt(fieldsAt(from, 'payload'), 'authorization')
  const accepted = fieldsAt(from, 'accepted')
  return {
    nonce: maybeStr(authorization, 'nonce') ?? header,
    network: maybeStr(accepted, 'network') ?? '',
    asset: maybeStr(accepted, 'asset') ?? '',
    amount: maybeStr(authorization, 'value') ?? '',
    validBefore: Number(maybeStr(authorization, 'validBefore') ?? 0),
  }
}
