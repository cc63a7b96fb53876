import { getAddress } from 'viem'
import type { InferenceRecord } from '../../../../db/queries/inference-row.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { bareHash } from './present.ts'

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** A journal row as an operator sees it: all that a refund needs, nothing that a person wrote. */
export function paymentForAdmin(payment: Payment) {
  return {
    id: payment.id,
    inferenceId: payment.inferenceId,
    state: payment.state,
    reason: payment.reason,
    payer: getAddress(payment.payer),
    network: `eip155:${payment.chainId}`,
    asset: getAddress(payment.asset),
    amount: payment.amountAtomic.toString(),
    transaction: bareHash(payment.txHash),
    task: payment.request.task,
    model: payment.request.model,
    predictionId: payment.predictionId,
    attempts: payment.attempts,
    nextAttemptAt: iso(payment.nextAttemptAt),
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
    settledAt: iso(payment.settledAt),
    rerunAt: iso(payment.rerunAt),
    resolvedAt: iso(payment.resolvedAt),
    resolution: payment.resolution,
  }
}

/** A record as an operator sees it: no input, no output. */
export function inferenceForAdmin(record: InferenceRecord) {
  return {
    id: record.id,
    status: record.status,
    owner: getAddress(record.userAddress),
    task: record.task,
    model: record.model,
    error: record.error,
    estimatedCostUsdc: record.estimatedCostUsdc,
    actualCostUsdc: record.actualCostUsdc,
    predictTimeMs: record.predictTimeMs,
    transaction: bareHash(record.paymentTxHash),
    chainId: record.paymentChainId,
    createdAt: record.createdAt.toISOString(),
    completedAt: iso(record.completedAt),
  }
}
