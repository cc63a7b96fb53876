import { DatabaseUnavailable } from '../../../db/client.ts'
import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import { findByInferenceId } from '../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import type { RequestDeps } from '../../context.ts'
import { textPieces } from '../../providers/output.ts'
import { ProviderError } from '../../providers/provider.ts'
import { after, type PurchaseAnswer, type PurchaseEvent, runsSince } from '../driver.ts'

/** A stream ends after this long, its purchase or not. */
export const followForMs = 10 * 60_000
const firstLookMs = 500
const maxLookMs = 5_000

/**
 * Follows a purchase that another driver has: its row and its prediction are read, nothing is moved. Ends with the purchase's
 * rest, or with null when the other driver's lease is over and the caller should take the payment itself.
 */
export async function follow(
  deps: RequestDeps,
  payment: Payment,
  emit: (event: PurchaseEvent) => void,
  arrivedAt: Date,
): Promise<PurchaseAnswer | null> {
  let settledShown = false
  let output: unknown = null
  let lookMs = firstLookMs
  let seen = payment
  for (;;) {
    const { payment: current, record } = await look(deps, seen)
    seen = current
    if (!settledShown && current.txHash !== null) {
      settledShown = true
      emit({ event: 'settled', payment: current })
    }
    if (record !== null && record.status !== 'pending') return { kind: 'ended', payment: current, record }
    const now = deps.now()
    const free = current.leaseUntil === null || current.leaseUntil <= now
    if (free) return isPutOff(current, now) ? { kind: 'pending', payment: current } : null
    if (now >= after(arrivedAt, followForMs)) {
      return { kind: current.state === 'settled' ? 'pending' : 'in_progress', payment: current }
    }
    if (current.predictionId !== null) output = await showProgress(deps, current, output, emit)
    await deps.sleep(lookMs)
    lookMs = Math.min(lookMs * 1.3, maxLookMs)
  }
}

/** A database that is away for a moment shows nothing new; a row that was purged never changes again. */
async function look(deps: RequestDeps, seen: Payment): Promise<{ payment: Payment; record: InferenceRecord | null }> {
  try {
    return (await findByInferenceId(deps.database, seen.inferenceId)) ?? { payment: seen, record: null }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return { payment: seen, record: null }
  }
}

/** A try failed and the next is due later; a run that only takes its time has no reason, and is followed on. */
const isPutOff = ({ state, reason, nextAttemptAt }: Payment, now: Date): boolean =>
  state === 'settled' && reason !== null && nextAttemptAt !== null && nextAttemptAt > now

async function showProgress(
  deps: RequestDeps,
  payment: Payment,
  seen: unknown,
  emit: (event: PurchaseEvent) => void,
): Promise<unknown> {
  try {
    const prediction = await deps.provider.get(payment.predictionId ?? '')
    const startedAt = runsSince(payment)
    const seconds = Math.round((deps.now().getTime() - startedAt.getTime()) / 1000)
    emit({ event: 'running', log: prediction.lastLog, seconds })
    if (payment.request.task !== 'text-to-text') return seen
    const text = textPieces(seen, prediction.output)
    if (text !== '') emit({ event: 'token', text })
    return prediction.output ?? seen
  } catch (error) {
    if (error instanceof ProviderError) return seen
    throw error
  }
}
