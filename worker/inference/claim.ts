import { type ClaimResult, claimPayment, type NewPayment } from '../../db/queries/claim-payment.ts'
import type { RequestDeps } from '../context.ts'
import { paidLimit } from '../rate-limits/paid-limit.ts'
import type { Accepted, Judgement, PaidCall } from './judge.ts'

/** Longer than `/verify` may take; the settling mark renews it. */
export const claimLeaseMs = 12_000

/** A CAIP-2 name's chain id, or 0 for a network that is not ours to know: it finds nothing. */
const chainIdIn = (network: string): number => Number(/^eip155:([1-9][0-9]{0,8})$/.exec(network)?.[1] ?? 0)

/**
 * Looks the authorization up and, where it is new and nothing refuses it, claims it: one round trip.
 * Throws `DatabaseUnavailable`; then nothing was sent to anybody.
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
  return claimPayment(deps.database, {
    chainId: chainIdIn(network),
    asset: asset.toLowerCase(),
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
    requestHash: judgement.requestHash,
    fresh: judgement.verdict.kind === 'accepted' ? freshPayment(deps, call, judgement.verdict.accepted) : null,
    leaseToken: token,
    now,
    leaseUntil: new Date(now.getTime() + claimLeaseMs),
    limitPerMinute: deps.config.rateLimits ? await paidLimit(deps, call.session) : null,
  })
}

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
