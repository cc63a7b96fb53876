import { getAddress } from 'viem'
import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import type { RequestDeps } from '../../context.ts'
import { AppError, type Problem } from '../../errors.ts'
import { encodePaymentHeader } from '../../payments/headers.ts'
import type { PurchaseAnswer } from '../driver.ts'
import { challenge, type QuoteSubject } from '../quote/quote.ts'

export const statusUrl = (inferenceId: string): string => `/api/inference/${inferenceId}`

/** The hash as the chain knows it: what is stored may carry a log index. */
export const bareHash = (txHash: string | null): string | null => txHash?.split('#')[0] ?? null

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

/** The 200 body, and the same of a failed run with its `error`. */
export function resultBody(payment: Payment, record: InferenceRecord) {
  return {
    id: record.id,
    status: record.status,
    output: record.output,
    metrics: metricsOf(payment, record),
    ...(record.error === null ? {} : { error: record.error }),
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

/** The `Payment-Response` header's value of a payment known to be settled; null of any other. */
export function paymentResponse(payment: Payment, transaction?: string): string | null {
  const hash = bareHash(payment.txHash) ?? transaction ?? null
  if (hash === null) return null
  const network = `eip155:${payment.chainId}`
  return encodePaymentHeader({ success: true, payer: getAddress(payment.payer), transaction: hash, network })
}

export function settledHeaders(payment: Payment, transaction?: string): Record<string, string> {
  const value = paymentResponse(payment, transaction)
  return value === null ? {} : { 'Payment-Response': value }
}

interface PaymentRefusal {
  code: 'payment_required' | 'payment_rejected' | 'quote_expired'
  /** As x402's `error`. */
  reason: string
  detail?: string
  refusedOn?: string
}

/** A payment in the header of x402 version 1 is not read, and must not be taken for no payment at all. */
export const OLD_PAYMENT_HEADER: PaymentRefusal = {
  code: 'payment_required',
  reason: 'X-PAYMENT is not read: send a payment of x402 version 2 as Payment-Signature',
  detail: 'The payment came as X-PAYMENT, the header of x402 version 1. Send one of version 2 as Payment-Signature.',
}

/**
 * A 402 with a fresh quote: the challenge is in the header and, with the problem's members, in the body. `refusedOn` is the
 * network of a payment that `/settle` refused, which a `Payment-Response` then says.
 */
export async function paymentProblem(
  deps: RequestDeps,
  subject: QuoteSubject,
  refusal: PaymentRefusal,
): Promise<Problem> {
  const required = await challenge(deps, subject, refusal.reason)
  const headers: Record<string, string> = { 'Payment-Required': encodePaymentHeader(required) }
  if (refusal.refusedOn !== undefined) {
    headers['Payment-Response'] = encodePaymentHeader({
      success: false,
      errorReason: refusal.reason,
      payer: subject.session.address,
      transaction: '',
      network: refusal.refusedOn,
    })
  }
  const details = {
    payment_required: 'Sign one of the payments in `accepts` and send the same body again with it.',
    payment_rejected: `The payment was not taken: ${refusal.reason}. Nothing was charged.`,
    quote_expired: `The price has to be quoted anew: ${refusal.reason}. Nothing was charged.`,
  }
  return {
    code: refusal.code,
    details: {
      ...required,
      detail: refusal.detail ?? details[refusal.code],
      paymentState: 'unused',
      nextAction: 'sign_new_payment',
    },
    headers,
  }
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
      detail: 'An earlier call with this payment is still being worked on. Follow it at `statusUrl`.',
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
  return new AppError(
    'inference_failed',
    {
      detail: record.error?.detail ?? 'The run failed.',
      id: record.id,
      metrics: metricsOf(payment, record),
      error: record.error,
      paymentState: 'settled',
      nextAction: 'give_up',
      statusUrl: statusUrl(record.id),
    },
    { headers: settledHeaders(payment) },
  )
}
