import type { InferenceRecord } from '../../../../db/queries/inference-row.ts'
import { findByInferenceId } from '../../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import type { NextAction, PaymentState } from '../../../../protocol/problems.ts'
import { AppError } from '../../../errors.ts'
import type { RequestDeps, Session } from '../../deps.ts'
import { driveIfStuck } from '../jobs/reconcile.ts'
import { driveEveryMs, waitForStepMs } from '../leases.ts'
import { after, statusUrl, validBefore } from '../payment-facts.ts'
import { metricsOf, resultBody } from './present.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (id: string): boolean => uuid.test(id)

/** Who asks for one purchase: a signed-in wallet, or a caller whose key for this very purchase was checked. */
export type Viewer = Session | 'key_holder'

/**
 * Where a purchase stands, from the claim on, for its owner; with `drive` a stuck one is moved on first.
 * Throws `AppError inference_not_found`, to every other caller too.
 */
export async function inferenceStatus(deps: RequestDeps, viewer: Viewer, id: string, drive: boolean) {
  const found = await ownInference(deps, viewer, id)
  if (!drive || !isStuck(found.payment, deps.now())) return shown(deps, found)
  const step = driveIfStuck(deps, { inferenceId: id }, { untouchedSince: after(deps.now(), -driveEveryMs) })
  deps.waitUntil(step)
  const moved = await Promise.race([step, deps.sleep(waitForStepMs).then(() => null)])
  return shown(deps, moved === null ? found : await ownInference(deps, viewer, id))
}

/** A purchase with its record, for its owner. Throws `AppError inference_not_found`, to everybody else too. */
export async function ownInference(deps: RequestDeps, viewer: Viewer, id: string) {
  const found = isUuid(id) ? await findByInferenceId(deps.database, id) : null
  if (found === null || !isOwner(viewer, found.payment)) {
    throw new AppError('inference_not_found', { detail: 'You have no inference with this id.' })
  }
  return found
}

function isOwner(viewer: Viewer, payment: Payment): boolean {
  if (viewer === 'key_holder') return true
  const isVisible = payment.signatureRecovered || payment.chainId === viewer.chainId
  return isVisible && payment.payer === viewer.address.toLowerCase()
}

function isStuck(payment: Payment, now: Date): boolean {
  const due = payment.nextAttemptAt !== null && payment.nextAttemptAt <= now
  const free = payment.leaseUntil === null || payment.leaseUntil <= now
  return due && free && payment.updatedAt <= after(now, -driveEveryMs)
}

function shown(deps: RequestDeps, { payment, record }: { payment: Payment; record: InferenceRecord | null }) {
  const common = {
    task: payment.request.task,
    model: payment.request.model,
    input: payment.request.input,
    createdAt: payment.createdAt.toISOString(),
    completedAt: record?.completedAt?.toISOString() ?? null,
  }
  if (record !== null && record.status !== 'pending') return { ...resultBody(payment, record), ...common }
  return { ...standing(payment, deps.now()), ...common }
}

/** A purchase without an end: still pending, or never paid. */
function standing(payment: Payment, now: Date) {
  // A claim that was never sent expires when the chain says so, as any other.
  const unpaid = payment.state === 'rejected' || (payment.state === 'claimed' && payment.chainCheckedAt !== null)
  const state: { paymentState: PaymentState; nextAction: NextAction } = unpaid
    ? { paymentState: 'unused', nextAction: 'sign_new_payment' }
    : pendingState(payment, now)
  return {
    id: payment.inferenceId,
    status: unpaid ? ('failed' as const) : ('pending' as const),
    output: null,
    metrics: metricsOf(payment, null),
    ...state,
    statusUrl: statusUrl(payment.inferenceId),
    ...(unpaid ? { error: { code: 'payment_rejected', detail: payment.reason ?? 'authorization_lapsed' } } : {}),
  }
}

function pendingState(payment: Payment, now: Date): { paymentState: PaymentState; nextAction: NextAction } {
  if (payment.state === 'settled') return { paymentState: 'settled', nextAction: 'poll' }
  const driven = payment.leaseUntil !== null && payment.leaseUntil > now
  const paymentState = payment.state === 'unknown' ? 'unknown' : 'in_flight'
  const worthSending = !driven && validBefore(payment) > now
  return { paymentState, nextAction: worthSending ? 'retry_same_payment' : 'poll' }
}
