import { DatabaseUnavailable } from '../../../db/client.ts'
import type { InferenceRecord, Output } from '../../../db/queries/inference-row.ts'
import { findByInferenceId } from '../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { type Outcome, recordOutcome, recordPending } from '../../../db/queries/record-inference.ts'
import { forgetHistory } from '../../models/history.ts'
import type { OutputType } from '../../models/model.ts'
import { outputTypeOf } from '../../models/model.ts'
import { type Driver, logMove, rest, type Step } from '../driver.ts'

/** Records a succeeded run and ends the purchase. */
export const recordSuccess = (
  driver: Driver,
  payment: Payment,
  result: Omit<Outcome & { status: 'succeeded' }, 'status'>,
): Promise<Step> => end(driver, payment, { status: 'succeeded', ...result })

/** Records a failed run: the money is kept (`owed`), an operator may refund it by hand. */
export const recordFailure = (
  driver: Driver,
  payment: Payment,
  error: { code: string; detail: string },
): Promise<Step> => end(driver, payment, { status: 'failed', error: { code: error.code, detail: error.detail } })

/** The `pending` row of a purchase that outlives its call. While the database is away it is left to the final row. */
export async function recordAsPending({ deps }: Pick<Driver, 'deps'>, payment: Payment): Promise<void> {
  const outputType = outputTypeOf(payment.request.task)
  try {
    await recordPending(deps.database, { payment, outputType, now: deps.now() })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    deps.log.warn('record.not_pending', { inferenceId: payment.inferenceId, reason: error.message })
  }
}

async function end(driver: Driver, payment: Payment, outcome: Outcome): Promise<Step> {
  const { deps } = driver
  const now = deps.now()
  const ended = await recordOutcome(deps.database, {
    payment,
    outputType: outputTypeOf(payment.request.task),
    outcome,
    now,
  })
  if (!ended) return asRecorded(driver, payment)
  const state = outcome.status === 'succeeded' ? 'done' : 'owed'
  logMove(driver, payment, outcome.status === 'succeeded' ? 'record_success' : 'record_failure', state)
  forgetHistory(deps)
  const record = recordOf(payment, outcome, now)
  return rest({ kind: 'ended', payment: { ...payment, state, leaseUntil: null, leaseToken: null }, record })
}

/** Somebody else ended it first: theirs is the record. */
async function asRecorded(driver: Driver, payment: Payment): Promise<Step> {
  const found = await findByInferenceId(driver.deps.database, payment.inferenceId)
  if (found === null || found.record === null) return rest({ kind: 'in_progress', payment })
  return rest({ kind: 'ended', payment: found.payment, record: found.record })
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

function outputOf(type: OutputType, data: { text: string } | { urls: string[] }): Output {
  if ('text' in data) return { type: 'text', text: data.text }
  return { type: type === 'audio' ? 'audio' : 'image', urls: data.urls }
}
