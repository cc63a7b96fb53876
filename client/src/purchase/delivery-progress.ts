import type { PaymentStore, PendingPayment } from '../store.ts'
import { makeRunEventMapper } from './events.ts'
import type { sendPayment } from './send.ts'

export type DeliveryProgress = ReturnType<typeof makeDeliveryProgress>

/** What is known of a delivery. Anything that is told means that the service is there: counting tries starts over. */
export function makeDeliveryProgress(store: PaymentStore, payment: PendingPayment) {
  let failures = 0
  let isPendingKnown = false

  async function note(inferenceId: string): Promise<void> {
    failures = 0
    if (payment.inferenceId === inferenceId || inferenceId === '') return
    payment.inferenceId = inferenceId
    await store.save(payment)
  }

  /** Passes a sending's events on. Whoever stops listening ends the call; the purchase goes on without it. */
  async function* track(sending: ReturnType<typeof sendPayment>): ReturnType<typeof sendPayment> {
    try {
      for (;;) {
        const { done, value } = await sending.next()
        if (done) return value
        // A stream that opens is no news yet: it may be one that always breaks off.
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
    /** Failures in a row, with this one. */
    countFailure: (): number => {
      failures += 1
      return failures
    },
    /** Whether this is the first time that it is told. */
    notePending: async (id: string): Promise<boolean> => {
      await note(id)
      const isFirst = !isPendingKnown
      isPendingKnown = true
      return isFirst
    },
  }
}
