import * as z from 'zod'
import { once } from '../../../db/once.ts'

/**
 * The subject of a wake-up: one purchase, or whatever is due, followed until a Unix time in milliseconds. It carries no secret and
 * proves nothing: it may come late, twice, from anyone or never.
 */
export const wakeUpSchema = once(() =>
  z.union([z.object({ inferenceId: z.uuid() }), z.object({ dueUntil: z.number() })]),
)
export type WakeUp = z.infer<ReturnType<typeof wakeUpSchema>>

/** Sends wake-ups to the workers of this deployment. */
export interface Waker {
  /** Has one of the workers look at this after `at`. Rejects when it could not be sent; the scheduled job finds what was lost. */
  wake(wakeUp: WakeUp, at: Date): Promise<void>
}

/** The producer's side of a Cloudflare Queue. */
export interface QueueBinding {
  send(body: WakeUp, options: { contentType: 'json'; delaySeconds: number }): Promise<unknown>
}

/** The longest delay that Queues takes. What is due later is left to the scheduled job. */
const MAX_DELAY_SECONDS = 43_200

/** Sends each wake-up as one message that Cloudflare delivers when its delay has passed, to the consumer in `worker/index.ts`. */
export function makeQueueWaker(queue: QueueBinding, now: () => Date): Waker {
  return {
    async wake(wakeUp, at) {
      // Rounded up: a message that comes before its time would find nothing to do.
      const delaySeconds = Math.max(0, Math.ceil((at.getTime() - now().getTime()) / 1000))
      if (delaySeconds <= MAX_DELAY_SECONDS) await queue.send(wakeUp, { contentType: 'json', delaySeconds })
    },
  }
}
