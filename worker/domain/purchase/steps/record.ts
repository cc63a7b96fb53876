import { DatabaseUnavailable } from '../../../../db/client.ts'
import type { InferenceRecord, Output } from '../../../../db/queries/inference-row.ts'
import { findByInferenceId } from '../../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { type Outcome, type OutputData, recordOutcome, recordPending } from '../../../../db/queries/record-inference.ts'
import { describeError } from '../../../lib/log.ts'
import type { OutputType } from '../../../upstreams/provider/provider.ts'
import type { RequestDeps } from '../../deps.ts'
import { forgetHistory } from '../../models/history.ts'
import { outputTypeOf } from '../../models/model.ts'
import type { Driver, StepResult } from '../driver.ts'
import { logMove } from '../move.ts'

/**
 * Ends the purchase: the final row, the journal's end and the running sums, in one statement. The money of a failed run is
 * kept (`owed`); an operator may refund it by hand. When another driver ended the purchase first, its record is returned.
 */
export async function record(driver: Driver, payment: Payment, outcome: Outcome): Promise<StepResult> {
  const { deps } = driver
  const now = deps.now()
  const outputType = outputTypeOf(payment.request.task)
  const ended = await recordOutcome(deps.database, { payment, outputType, outcome, now })
  if (!ended) return asRecorded(driver, payment)
  const state = outcome.status === 'succeeded' ? 'done' : 'owed'
  logMove(driver, payment, outcome.status === 'succeeded' ? 'record_success' : 'record_failure', state)
  forgetHistory(deps)
  const endedPayment: Payment = { ...payment, state, leaseUntil: null, leaseToken: null }
  return { kind: 'ended', payment: endedPayment, record: recordOf(payment, outcome, now) }
}

async function asRecorded(driver: Driver, payment: Payment): Promise<StepResult> {
  const found = await findByInferenceId(driver.deps.database, payment.inferenceId)
  if (found === null) return { kind: 'lost_lease', payment }
  const isDoubled = payment.predictionId !== null && found.payment.predictionId !== payment.predictionId
  if (isDoubled) {
    const { inferenceId, predictionId } = payment
    driver.deps.log.error('prediction.doubled', { inferenceId, predictionId })
  }
  if (found.record !== null && found.record.status !== 'pending') {
    return { kind: 'ended', payment: found.payment, record: found.record }
  }
  const holdsLease = found.payment.leaseToken === driver.lease.token
  return isDoubled && holdsLease ? { kind: 'moved', payment: found.payment } : { kind: 'lost_lease', payment }
}

/**
 * The `pending` row of a purchase that outlives its call. The final row does not need it, so an error is logged and the
 * settled purchase is answered as ever.
 */
export async function recordAsPending(deps: RequestDeps, payment: Payment): Promise<void> {
  const outputType = outputTypeOf(payment.request.task)
  try {
    await recordPending(deps.database, { payment, outputType, now: deps.now() })
  } catch (error) {
    const fields = { inferenceId: payment.inferenceId, cause: describeError(error) }
    if (error instanceof DatabaseUnavailable) deps.log.warn('record.not_pending', fields)
    else deps.log.error('record.not_pending', fields)
  }
}

function recordOf(payment: Payment, outcome: Outcome, now: Date): InferenceRecord {
  const ok = outcome.status === 'succeeded' ? outcome : null
  return {
    id: payment.inferenceId,
    userAddress: payment.payer,
    task: payment.request.task,
    model: payment.request.model,
    input: payment.request.input,
    output: ok === null ? null : outputOf(outputTypeOf(payment.request.task), ok.outputData),
    tokens: ok !== null && 'text' in ok.outputData ? (ok.outputData.tokens ?? null) : null,
    status: outcome.status,
    predictTimeMs: ok?.predictTimeMs ?? null,
    estimatedCostUsdc: payment.terms.estimatedCostUsdc,
    actualCostUsdc: ok?.actualCostUsdc ?? null,
    paymentTxHash: payment.txHash,
    paymentChainId: payment.chainId,
    createdAt: payment.createdAt,
    completedAt: now,
    error: outcome.status === 'failed' ? outcome.error : null,
  }
}

function outputOf(type: OutputType, data: OutputData): Output {
  if ('text' in data) return { type: 'text', text: data.text }
  return { type: type === 'audio' ? 'audio' : 'image', urls: data.urls }
}
