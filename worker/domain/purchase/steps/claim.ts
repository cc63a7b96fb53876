import { DatabaseUnavailable } from '../../../../db/client.ts'
import {
  type ClaimRequest,
  type ClaimResult,
  claimPayment,
  type NewPayment,
} from '../../../../db/queries/claim-payment.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { AppError } from '../../../errors.ts'
import { rateLimitKey } from '../../../lib/client-address.ts'
import type { RateLimitDecision } from '../../../upstreams/limiter/limits.ts'
import { identifierOf, journalKeyOf } from '../../../x402/headers.ts'
import { claimProofOf, isProven } from '../../auth/payment-proof.ts'
import type { RequestDeps } from '../../deps.ts'
import { countCall, enforceRateLimit, rateLimited } from '../../rate-limits/enforce.ts'
import { paidLimit } from '../../rate-limits/paid-limit.ts'
import { settleLeaseMs } from '../leases.ts'
import { after, paymentStateOf, statusUrl } from '../payment-facts.ts'
import type { PurchaseAnswer } from '../purchase-answer.ts'
import { type InferenceRequest, parseInferenceRequest } from '../quote/request.ts'
import type { Accepted, PaidCall, Validation } from './validate-payment.ts'

/** Either this call has the payment's lease, or the journal has its answer. */
export type Claimed =
  | {
      kind: 'leased'
      payment: Payment
      token: string
      /** The authorization is new, or was rejected before: nothing of it was sent since. */
      isNew: boolean
      /** New claims the wallet may make per minute; null for no limit. */
      paidLimit: number | null
    }
  | { kind: 'answered'; answer: PurchaseAnswer }

/** An address over its limit makes no new claim, but its earlier payments are still found. */
export const countClaim = (deps: RequestDeps, call: PaidCall): Promise<RateLimitDecision> =>
  countCall(deps, 'claims', rateLimitKey(call.clientAddress))

/**
 * Looks the authorization up and, where it is new and nothing refuses it, claims it: one round trip.
 * Throws `AppError` `database_unavailable`, `internal_error`, `payer_mismatch` or `rate_limited`; this call sent nothing to a
 * facilitator.
 */
export async function claim(
  deps: RequestDeps,
  call: PaidCall,
  validation: Validation,
  addressLimit: RateLimitDecision,
): Promise<Claimed> {
  const token = deps.newId()
  const found = await lookUp(deps, call, validation, addressLimit, token).catch((error: unknown) => {
    throw error instanceof AppError ? error : notClaimed(error)
  })
  if (found.kind === 'unproven') return { kind: 'answered', answer: { kind: 'unproven', payment: found.payment } }
  assertMayBeShown(call, found.payment)
  const answer = answerFromJournal(found, validation)
  if (answer !== null) return { kind: 'answered', answer }
  if (found.payment === null) throw new Error('a claim without a payment')
  if (found.kind !== 'taken') logClaim(deps, found.payment, found.kind)
  return { kind: 'leased', payment: found.payment, token, isNew: found.kind !== 'taken', paidLimit: found.limit }
}

async function lookUp(
  deps: RequestDeps,
  call: PaidCall,
  validation: Validation,
  addressLimit: RateLimitDecision,
  token: string,
): Promise<ClaimResult> {
  const isNew = validation.kind === 'accepted' && addressLimit.allowed
  const now = deps.now()
  const request: ClaimRequest = {
    ...journalKeyOf(call.payload),
    requestHash: validation.requestHash,
    request: validation.kind === 'accepted' ? asKept(validation.accepted.request) : requestOf(call),
    identifier: identifierOf(call.payload),
    fresh: isNew ? newPayment(deps, call, validation.accepted) : null,
    leaseToken: token,
    now,
    leaseUntil: after(now, settleLeaseMs),
    proof: claimProofOf(deps.config, call, validation.requestHash, isPlainAccount(validation)),
    limitPerMinute: await limitOf(deps, call, addressLimit),
  }
  const found = await claimPayment(deps.database, request)
  if (found.kind === 'refused' || found.kind === 'unproven') await countRefusal(deps, call, addressLimit, found.payment)
  // The payment that was found is another one.
  if (found.kind === 'identifier_used') await countRefusal(deps, call, addressLimit, null)
  return found
}

/** Above the address's limit a call claims nothing, so its wallet's own limit is not read from the chain. */
async function limitOf(deps: RequestDeps, call: PaidCall, addressLimit: RateLimitDecision): Promise<number | null> {
  if (!deps.config.rateLimits) return null
  return addressLimit.allowed ? paidLimit(deps, call.session) : 0
}

/**
 * A refused payment without a row takes one of the wallet's unpaid calls. Where the wallet is not proven it counts for the
 * caller's address, so that no one uses up another's calls. Throws `AppError rate_limited`.
 */
async function countRefusal(
  deps: RequestDeps,
  call: PaidCall,
  addressLimit: RateLimitDecision,
  payment: Payment | null,
): Promise<void> {
  const details = { paymentState: paymentStateOf(payment) }
  if (!addressLimit.allowed) throw rateLimited('claims', addressLimit, details)
  if (!isProven(call)) await enforceRateLimit(deps, 'estimate', rateLimitKey(call.clientAddress), details)
  else if (payment === null) await enforceRateLimit(deps, 'unpaid', call.session.address, details)
}

const asKept = ({ task, model, input }: InferenceRequest): NewPayment['request'] => ({ task, model: model.id, input })

/** This call's request; null when its body is not valid. */
function requestOf({ body }: PaidCall): NewPayment['request'] | null {
  try {
    return asKept(parseInferenceRequest(body))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

const isPlainAccount = (validation: Validation): boolean =>
  validation.kind === 'accepted' && validation.accepted.signatureRecovered

/** This call sent nothing; what an earlier one with the same payment did is in the journal, which was not read. */
function notClaimed(cause: unknown): AppError {
  const code = cause instanceof DatabaseUnavailable ? 'database_unavailable' : 'internal_error'
  return new AppError(
    code,
    {
      detail: 'This call charged nothing; send the same payment again.',
      paymentState: 'unknown',
      nextAction: 'retry_same_payment',
      retryAfterSeconds: 5,
    },
    { cause },
  )
}

function newPayment(deps: RequestDeps, call: PaidCall, accepted: Accepted): NewPayment {
  const { authorization } = call.payload.payload
  return {
    id: deps.newId(),
    inferenceId: deps.newId(),
    objectKey: `i/${deps.newId()}`,
    amountAtomic: BigInt(authorization.value),
    request: asKept(accepted.request),
    terms: accepted.terms,
    authorization,
    signature: accepted.signature,
    signatureRecovered: accepted.signatureRecovered,
  }
}

/** A contract wallet's record is shown only to a session of the payment's chain: elsewhere the address may be another's. */
function assertMayBeShown(call: PaidCall, payment: Payment | null): void {
  if (payment === null || payment.signatureRecovered || payment.chainId === call.session.chainId) return
  throw new AppError('payer_mismatch', {
    detail: 'A contract wallet is served on the chain it signed in on.',
    nextAction: 'sign_in',
  })
}

/** As every other change of state. */
function logClaim(deps: RequestDeps, { inferenceId }: Payment, kind: ClaimResult['kind']): void {
  const from = kind === 'reclaimed' ? 'rejected' : 'none'
  deps.log.info('payment.moved', { inferenceId, from, by: 'claim', to: 'settling' })
}

/** The answer where this call has nothing to drive, as in an idempotent replay. Null when it has the lease. */
function answerFromJournal(found: ClaimResult, validation: Validation): PurchaseAnswer | null {
  const { kind, payment, record } = found
  if (kind === 'new' || kind === 'reclaimed' || kind === 'taken') return null
  if (kind === 'limited') return limited(found)
  if (kind === 'identifier_used' && payment !== null) return { kind: 'problem', error: identifierUsed(payment) }
  if (payment === null) return refusal(validation)
  if (kind === 'rejected') {
    const reason = payment.reason ?? 'payment_rejected'
    return { kind: 'rejected', code: 'payment_rejected', reason, settleRefused: false }
  }
  if (kind === 'other_request') return { kind: 'problem', error: otherRequest(payment) }
  if (kind === 'ended' && record !== null) return { kind: 'ended', payment, record }
  return kind === 'waiting' ? { kind: 'pending', payment } : { kind: 'in_progress', payment }
}

function refusal(validation: Validation): PurchaseAnswer {
  if (validation.kind === 'accepted') throw new Error('an accepted payment was not claimed')
  const { refusal } = validation
  if (refusal.kind === 'problem') return { kind: 'problem', error: refusal.error }
  return { kind: 'rejected', code: refusal.code, reason: refusal.reason, settleRefused: false }
}

/** A new payment is asked for only where this one is unused: a caller that lost its body would otherwise pay twice for one request. */
function otherRequest(payment: Payment): AppError {
  const paymentState = paymentStateOf(payment)
  return new AppError('payment_used_for_other_request', {
    detail: 'This authorization was sent with another body before. Send that body, or sign a new payment for this one.',
    paymentState,
    statusUrl: statusUrl(payment.inferenceId),
    nextAction: paymentState === 'unused' ? 'sign_new_payment' : 'fix_request',
  })
}

const identifierUsed = (payment: Payment): AppError =>
  new AppError('payment_used_for_other_request', {
    detail:
      'Another payment of this wallet has this payment identifier. Nothing was charged for this one. Its result is at ' +
      '`statusUrl`; for another purchase use another identifier.',
    paymentState: 'unused',
    statusUrl: statusUrl(payment.inferenceId),
    nextAction: 'poll',
  })

function limited({ windowEnds, limit, now }: ClaimResult): PurchaseAnswer {
  const waitMs = windowEnds === null ? 0 : windowEnds.getTime() - now.getTime()
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const error = rateLimited(
    'paid',
    { limit: limit ?? 0, windowSeconds: 60, retryAfterSeconds },
    { paymentState: 'unused' },
  )
  return { kind: 'problem', error }
}
