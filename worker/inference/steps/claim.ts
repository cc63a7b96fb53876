import { DatabaseUnavailable } from '../../../db/client.ts'
import {
  type ClaimRequest,
  type ClaimResult,
  claimPayment,
  type NewPayment,
} from '../../../db/queries/claim-payment.ts'
import type { RequestDeps } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { rateLimitKey } from '../../lib/client-address.ts'
import { chainIdOf } from '../../networks.ts'
import { enforceRateLimit, rateLimited, takeTicket } from '../../rate-limits/enforce.ts'
import { paidLimit } from '../../rate-limits/limits.ts'
import { type InferenceRequest, parseInferenceRequest } from '../quote/request.ts'
import type { Accepted, Judgement, PaidCall } from './validate-payment.ts'

/** Longer than `/verify` may take; the settling mark renews it. */
export const claimLeaseMs = 12_000

/**
 * Looks the authorization up and, where it is new and nothing refuses it, claims it: one round trip.
 * Throws `AppError` `database_unavailable`, when nothing was sent anywhere, or `rate_limited`: a refused payment without a row
 * takes one of the wallet's unpaid calls, and an address makes a bounded number of claims.
 */
export async function claim(
  deps: RequestDeps,
  call: PaidCall,
  judgement: Judgement,
  token: string,
): Promise<ClaimResult> {
  const { authorization } = call.payload.payload
  const { asset, network } = call.payload.accepted
  const { verdict } = judgement
  // An address over its limit makes no new claim, but what it paid for before is still found.
  const ticket = await takeTicket(deps, 'claims', rateLimitKey(call.clientAddress))
  const now = deps.now()
  const request: ClaimRequest = {
    chainId: chainIdOf(network),
    asset: asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
    requestHash: judgement.requestHash,
    request: requestOf(call),
    fresh: verdict.kind === 'accepted' && ticket.allowed ? freshPayment(deps, call, verdict.accepted) : null,
    leaseToken: token,
    now,
    leaseUntil: new Date(now.getTime() + claimLeaseMs),
    limitPerMinute: deps.config.rateLimits ? await paidLimit(deps, call.session) : null,
  }
  const claimed = await claimPayment(deps.database, request).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? notClaimed(error) : error
  })
  if (claimed.kind === 'refused') {
    if (!ticket.allowed) throw rateLimited('claims', ticket, { paymentState: 'unused' })
    await enforceRateLimit(deps, 'unpaid', call.session.address, { paymentState: 'unused' })
  }
  return claimed
}

const asKept = ({ task, model, input }: InferenceRequest): NewPayment['request'] => ({ task, model: model.id, input })

/** What this call asks for; null when its body is not valid. */
function requestOf({ body }: PaidCall): NewPayment['request'] | null {
  try {
    return asKept(parseInferenceRequest(body))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** This call sent nothing anywhere; what an earlier one with the same payment did is in the journal, which is away. */
const notClaimed = (cause: DatabaseUnavailable): AppError =>
  new AppError(
    'database_unavailable',
    {
      detail: 'This call charged nothing; send the same payment again.',
      paymentState: 'unknown',
      nextAction: 'retry_same_payment',
      retryAfterSeconds: 5,
    },
    { cause },
  )

function freshPayment(deps: RequestDeps, call: PaidCall, accepted: Accepted): NewPayment {
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
