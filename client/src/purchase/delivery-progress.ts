import type { PaymentStore, PendingPayment } from '../store.ts'
import { makeRunEventMapper } from './events.ts'
import type { sendPayment } from './send.ts'

export type DeliveryProgress = ReturnType<typeof makeDeliveryProgress>

/** The progress of a delivery. Every event from the service resets the count of failures. */
export function makeDeliveryProgress(store: PaymentStore, payment: PendingPayment) {
  let failures = 0
  let isPendingKnown = false

  async function note(inferenceId: string): Promise<void> {
    failures = 0
    if (payment.inferenceId === inferenceId || inferenceId === '') return
    payment.inferenceId = inferenceId
    await store.save(payment)
  }

  /** Passes on the events of one sending. Leaving the loop ends the call; the service finishes the purchase anyway. */
  async function* track(sending: ReturnType<typeof sendPayment>): ReturnType<typeof sendPayment> {
    try {
      for (;;) {
        const { done, value } = await sending.next()
        if (done) return value
        // An opened stream does not reset the count: each one may break off at once.
        if (value.event === 'connected') {
          if (failures > 0) yield value
          continue
        }
        await note(value.event === 'settled' ? value.id : '')
        yield value
      }
    } finally {
      await sending.return({ kind: 'pending', id: '', waitSeconds: 0 })
    }
  }

  return {
    toRunEvent: makeRunEventMapper(),
    track,
    /** Counts a failure. Returns how many there are in a row. */
    countFailure: (): number => {
      failures += 1
      return failures
    },
    /** Notes a pending purchase. Returns whether this is the first time. */
    notePending: async (id: string): Promise<boolean> => {
      await note(id)
      const isFirst = !isPendingKnown
      isPendingKnown = true
      return isFirst
    },
  }
}
