import type { Payment } from '../../../db/queries/payment-row.ts'
import { makeIsolateCache } from '../../lib/isolate-cache.ts'
import type { RequestDeps } from '../deps.ts'

/** When the leases of this isolate's own drives end, in ms since 1970, by inference id. */
const held = makeIsolateCache<number>()

type HeldDeps = Pick<RequestDeps, 'upstreams' | 'now'>

/**
 * True if a drive of this isolate has the purchase's lease now. Then no other driver can take it, so there is nothing to ask the
 * database: a webhook of the run that this isolate waits for costs no trip.
 */
export const isHeldHere = ({ upstreams, now }: HeldDeps, inferenceId: string): boolean =>
  (held.get(upstreams, inferenceId) ?? 0) > now().getTime()

/** Marks the purchase as held here during `work`, which must not return its lease, and until that lease ends at the latest. */
export async function whileHeldHere<T>(
  { upstreams }: HeldDeps,
  { inferenceId, leaseUntil }: Payment,
  work: () => Promise<T>,
): Promise<T> {
  held.set(upstreams, inferenceId, leaseUntil?.getTime() ?? 0)
  try {
    return await work()
  } finally {
    held.set(upstreams, inferenceId, 0)
  }
}
