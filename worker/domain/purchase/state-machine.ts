import { paymentState } from '../../../db/schema/columns.ts'

/**
 * The state machine of the payments journal as one pure table. `docs/design/purchase.md` has the same table, and a test
 * compares them cell by cell. Every SQL move is conditional on `fromStates(event)`, so an illegal move changes nothing.
 */
export const journalStates = paymentState.enumValues
export type JournalState = (typeof journalStates)[number]

/** The events of a payment, in the order of a purchase. */
export const paymentEvents = [
  'claim',
  'mark_settling',
  'verify_unavailable',
  'refuse',
  'unclear',
  'pay',
  'expire',
  'check_unpaid',
  'retry_later',
  'record_success',
  'record_failure',
  'rerun',
] as const
export type PaymentEvent = (typeof paymentEvents)[number]

/** `none` is an authorization without a row. A missing cell is an illegal move. */
const table: Record<PaymentEvent, Partial<Record<JournalState | 'none', JournalState>>> = {
  // The buyer's own call takes an authorization that is new, or whose earlier try was rejected. From here on `/settle` may be sent.
  claim: { none: 'settling', rejected: 'settling' },
  // Another try with a claim that `/verify` did not answer, or another `/settle`.
  mark_settling: { claimed: 'settling', settling: 'settling', unknown: 'settling' },
  // The driver knows that it never sent `/settle`.
  verify_unavailable: { claimed: 'claimed', settling: 'claimed' },
  // A clear no, of the facilitator or of the chain (spent before our claim, cancelled).
  refuse: { claimed: 'rejected', settling: 'rejected', unknown: 'rejected' },
  // It is not known yet whether the money moved.
  unclear: { claimed: 'claimed', settling: 'unknown', unknown: 'unknown' },
  // The transfer is on chain, from any sender.
  pay: { claimed: 'settled', settling: 'settled', unknown: 'settled', rejected: 'settled' },
  // Unspent in a block whose own time is past `validBefore`.
  expire: { claimed: 'rejected', settling: 'rejected', unknown: 'rejected' },
  // The one check of the chain past `validBefore` that comes before a purge.
  check_unpaid: { claimed: 'claimed', rejected: 'rejected' },
  retry_later: { settled: 'settled' },
  record_success: { settled: 'done' },
  record_failure: { settled: 'owed' },
  // An operator has a failed run tried again.
  rerun: { owed: 'settled' },
}

/**
 * The state after `event`, or null when the move is illegal.
 * @example transition('settling', 'pay') // 'settled'
 */
export function transition(state: JournalState | 'none', event: PaymentEvent): JournalState | null {
  return table[event][state] ?? null
}

/** States in which `event` is legal and leads to `to`: the condition of its SQL statement. */
export function fromStates(event: PaymentEvent, to: JournalState): JournalState[] {
  return journalStates.filter((state) => table[event][state] === to)
}
