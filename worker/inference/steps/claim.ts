import { DatabaseUnavailable } from '../../../db/client.ts'
import {
  type ClaimRequest,
  type ClaimResult,
  claimPayment,
  type NewPayment,
} from '../../../db/queries/claim-payment.ts'
import type { RequestDeps } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { chainIdOf } from '../../networks.ts'
import { paidLimit } from '../../rate-limits/limits.ts'
import type { Accepted, Judgement, PaidCall } from './validate-payment.ts'

/** Longer than `/verify` may take; the settling mark renews it. */
export const claimLeaseMs = 12_000

/**
 * Looks the authorization up and, where it is new and nothing refuses it, claims it: one round trip.
 * Throws `AppError database_unavailable`; then nothing was sent to anybody.
 */
export async function claim(
  deps: RequestDeps,
  call: PaidCall,
  judgement: Judgement,
  token: string,
): Promise<ClaimResult> {
  const { authorization } = call.payload.payload
  const { asset, network } = call.payload.accepted
  const now = deps.now()
  const request: ClaimRequest = {
    chainId: chainIdOf(network),
    asset: asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
    requestHash: judgement.requestHash,
    fresh: judgement.verdict.kind === 'accepted' ? freshPayment(deps, call, judgement.verdict.accepted) : null,
    leaseToken: token,
    now,
    leaseUntil: new Date(now.getTime() + claimLeaseMs),
    limitPerMinute: deps.config.rateLimits ? await paidLimit(deps, call.session) : null,
  }
  return claimPayment(deps.database, request).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? notClaimed(error) : error
  })
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
    request: { task: accepted.request.task, model: accepted.request.model.id, input: accepted.request.input },
    terms: accepted.terms,
    authorization,
    signature: accepted.signature,
    signatureRecovered: accepted.signatureRecovered,
  }
}
