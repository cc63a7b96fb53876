import * as z from 'zod'

/**
 * What a wake-up is about: one purchase, or whatever is due. It carries no secret and proves nothing: it may come late, twice, from
 * anyone or never.
 */
export const wakeUpSchema = z.union([z.object({ inferenceId: z.uuid() }), z.object({ due: z.literal(true) })])
export type WakeUp = z.infer<typeof wakeUpSchema>

/** Sends wake-ups to the workers of this deployment. */
export interface Waker {
  /** Has one of the workers look at this after `at`. Rejects when it could not be sent; the scheduled job finds what was lost. */
  wake(wakeUp: WakeUp, at: Date): Promise<void>
}
