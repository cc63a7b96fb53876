import { getAddress } from 'viem'
import type { HistoryPage } from '../../../../db/queries/history.ts'
import type { InferenceRecord } from '../../../../db/queries/inference-row.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { toHeader } from '../../../../protocol/base64.ts'
import { AppError } from '../../../errors.ts'
import { firstCharacters } from '../../../lib/text.ts'
import type { SettlementResponse } from '../../../x402/schemas.ts'
import { promptOf } from '../../models/catalogue.ts'
import { statusUrl } from '../payment-facts.ts'
import type { PurchaseAnswer } from '../purchase-answer.ts'

/** The hash as the chain knows it: what is stored may carry a log index. */
export const bareHash = (txHash: string | null): string | null => txHash?.split('#')[0] ?? null

/** The key of a stored file, by the purchase's own prefix: the public base in the stored URL may be an older one. */
export const storedKey = ({ objectKey }: Payment, url: string): string =>
  `${objectKey}/${url.slice(url.lastIndexOf('/') + 1)}`

/** Figures of a purchase; money as decimal strings, times in milliseconds and seconds. */
export function metricsOf(payment: Payment, record: InferenceRecord | null) {
  return {
    predictTimeMs: record?.predictTimeMs ?? null,
    estimatedSeconds: Number(payment.terms.estimatedSeconds),
    estimatedCostUsdc: payment.terms.estimatedCostUsdc,
    actualCostUsdc: record?.actualCostUsdc ?? null,
    paymentAsset: getAddress(payment.asset),
    paymentAmount: payment.amountAtomic.toString(),
    paymentTxHash: bareHash(payment.txHash),
    paymentNetwork: `eip155:${payment.chainId}`,
  }
}

const HASH = /0x[0-9a-f]{64}(?![0-9a-f])/gi

/**
 * The operator's refund of an owed payment, and its transaction: the first hash in the operator's note that is not the
 * payment's own. Nothing else of the note is shown. Null when nothing is owed.
 */
export function refundOf({ state, txHash, resolvedAt, resolution }: Payment) {
  if (state !== 'owed') return null
  const paidBy = bareHash(txHash)
  const hashes = (resolution?.match(HASH) ?? []).map((hash) => hash.toLowerCase())
  return {
    status: resolvedAt === null ? ('owed' as const) : ('refunded' as const),
    refundedAt: resolvedAt?.toISOString() ?? null,
    transaction: hashes.find((hash) => hash !== paidBy) ?? null,
  }
}

/** The 200 body, and the same of a failed run with its `error` and `refund`; without a record it is pending. */
export function resultBody(payment: Payment, record: InferenceRecord | null) {
  const error = record?.error ?? null
  const refund = refundOf(payment)
  return {
    id: payment.inferenceId,
    status: record?.status ?? 'pending',
    output: record?.output ?? null,
    metrics: metricsOf(payment, record),
    ...(error === null ? {} : { error }),
    ...(refund === null ? {} : { refund }),
  }
}

const PROMPT_CHARACTERS = 200

/** One purchase in its owner's history. */
export function historyItem({ payment, record }: HistoryPage['items'][number]) {
  const { task, model, input } = payment.request
  return {
    ...resultBody(payment, record),
    task,
    model,
    prompt: firstCharacters(promptOf(model, input) ?? '', PROMPT_CHARACTERS),
    createdAt: (record ?? payment).createdAt.toISOString(),
    completedAt: record?.completedAt?.toISOString() ?? null,
  }
}

/** The 202 body. */
export function pendingBody(payment: Payment) {
  return {
    id: payment.inferenceId,
    status: 'pending' as const,
    output: null,
    metrics: metricsOf(payment, null),
    statusUrl: statusUrl(payment.inferenceId),
    paymentState: 'settled' as const,
    nextAction: 'poll' as const,
  }
}

/** The content of `Payment-Response` for a payment known to be settled; null for any other. */
export function settlementOf(payment: Payment, transaction?: string): SettlementResponse | null {
  const hash = bareHash(payment.txHash) ?? transaction ?? null
  if (hash === null) return null
  return {
    success: true,
    payer: getAddress(payment.payer),
    transaction: hash,
    network: `eip155:${payment.chainId}`,
  }
}

/** The `Payment-Response` header's value of a payment known to be settled; null of any other. */
export function paymentResponse(payment: Payment, transaction?: string): string | null {
  const settlement = settlementOf(payment, transaction)
  return settlement === null ? null : toHeader(settlement)
}

export function settledHeaders(payment: Payment, transaction?: string): Record<string, string> {
  const value = paymentResponse(payment, transaction)
  return value === null ? {} : { 'Payment-Response': value }
}

/** The problem of a purchase that was paid and failed, is in progress, or whose settlement is not known; null for results. */
export function problemOf(answer: PurchaseAnswer): AppError | null {
  if (answer.kind === 'problem') return answer.error
  if (answer.kind === 'in_progress') return inProgress(answer.payment)
  if (answer.kind === 'unknown') return unknown(answer.payment, answer.transaction)
  if (answer.kind === 'ended' && answer.record.status === 'failed') return failed(answer.payment, answer.record)
  return null
}

function inProgress(payment: Payment): AppError {
  return new AppError(
    'payment_in_progress',
    {
      detail: 'An earlier call with this payment is under way. Follow it at `statusUrl`.',
      paymentState: payment.state === 'settled' ? 'settled' : 'in_flight',
      nextAction: 'poll',
      statusUrl: statusUrl(payment.inferenceId),
      retryAfterSeconds: 2,
    },
    { headers: settledHeaders(payment) },
  )
}

function unknown(payment: Payment, transaction?: string): AppError {
  return new AppError(
    'settlement_unknown',
    {
      detail: 'The payment may have been made; the chain will tell. Do not sign another: send the same one again.',
      paymentState: 'unknown',
      nextAction: 'retry_same_payment',
      statusUrl: statusUrl(payment.inferenceId),
      retryAfterSeconds: 5,
    },
    { headers: settledHeaders(payment, transaction) },
  )
}

function failed(payment: Payment, record: InferenceRecord): AppError {
  const refund = refundOf(payment)
  return new AppError(
    'inference_failed',
    {
      detail: record.error?.detail ?? 'The run failed.',
      id: record.id,
      metrics: metricsOf(payment, record),
      error: record.error,
      ...(refund !== null && { refund }),
      paymentState: 'settled',
      nextAction: 'give_up',
      statusUrl: statusUrl(record.id),
    },
    { headers: settledHeaders(payment) },
  )
}
