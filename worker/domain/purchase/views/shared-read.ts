import { DatabaseUnavailable } from '../../../../db/client.ts'
import type { InferenceRecord } from '../../../../db/queries/inference-row.ts'
import { findByInferenceId } from '../../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { makeIsolateCache } from '../../../lib/isolate-cache.ts'
import { type Prediction, ProviderError } from '../../../upstreams/provider/provider.ts'
import type { RequestDeps } from '../../deps.ts'

/** One view of a purchase that another driver has. */
export interface PurchaseView {
  payment: Payment
  record: InferenceRecord | null
  /** Null before the run has started, and while the provider does not answer. */
  prediction: Prediction | null
}

interface Shared {
  view: PurchaseView
  readAt: number
  /** A caller reads it again until then; the others use the present view. */
  refreshingUntil: number
  everyMs: number
}

const firstEveryMs = 500
const growth = 1.3
const maxEveryMs = 5_000
/** Longer than a read of the row and of the prediction may take. */
const refreshMs = 20_000

const shared = makeIsolateCache<Shared>()

/**
 * The present view of a purchase. All callers of this isolate share one read of the row and of the prediction: every 0.5 s at
 * first, every 5 s later. `payment` is what the caller knows; an older view than that is read again.
 */
export async function readShared(deps: RequestDeps, payment: Payment): Promise<PurchaseView> {
  const { inferenceId } = payment
  const known = shared.get(deps.upstreams, inferenceId)
  const now = deps.now().getTime()
  const isCurrent = known !== undefined && known.view.payment.updatedAt >= payment.updatedAt
  if (isCurrent && (now - known.readAt < known.everyMs || now < known.refreshingUntil)) return known.view
  const before = isCurrent ? known.view : { payment, record: null, prediction: null }
  const everyMs = Math.min(known === undefined ? firstEveryMs : known.everyMs * growth, maxEveryMs)
  const readAt = known?.readAt ?? now
  shared.set(deps.upstreams, inferenceId, { view: before, readAt, refreshingUntil: now + refreshMs, everyMs })
  const view = await read(deps, before)
  shared.set(deps.upstreams, inferenceId, { view, readAt: deps.now().getTime(), refreshingUntil: 0, everyMs })
  return view
}

async function read(deps: RequestDeps, before: PurchaseView): Promise<PurchaseView> {
  const { payment, record } = await readRow(deps, before)
  const id = payment.predictionId
  const isRunning = id !== null && (record === null || record.status === 'pending')
  return { payment, record, prediction: isRunning ? await readPrediction(deps, id) : before.prediction }
}

/** While the database is away, the row as it was. A row that was purged never changes again. */
async function readRow(
  deps: RequestDeps,
  { payment, record }: PurchaseView,
): Promise<Omit<PurchaseView, 'prediction'>> {
  try {
    return (await findByInferenceId(deps.database, payment.inferenceId)) ?? { payment, record: null }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return { payment, record }
  }
}

async function readPrediction(deps: RequestDeps, id: string): Promise<Prediction | null> {
  try {
    return await deps.provider.get(id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return null
  }
}
