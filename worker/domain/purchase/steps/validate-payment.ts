import { DatabaseUnavailable } from '../../../../db/client.ts'
import type { Terms } from '../../../../db/queries/payment-row.ts'
import { transferDomain } from '../../../../protocol/eip3009.ts'
import { AIC_DECIMALS, formatAmount } from '../../../../protocol/money.ts'
import { chainIdOf } from '../../../../protocol/networks.ts'
import { AppError } from '../../../errors.ts'
import { sha256 } from '../../../lib/digest.ts'
import { describeError } from '../../../lib/log.ts'
import { makeReadCache } from '../../../lib/read-cache.ts'
import type { RateLimitDecision } from '../../../upstreams/limiter/limits.ts'
import {
  checkAuthorization,
  inspectSignature,
  isUndeployedWallets,
  SIGNATURE_REASON,
} from '../../../x402/authorization.ts'
import { quoteTokenOf } from '../../../x402/headers.ts'
import type { Terms as Promised, QuoteEntry } from '../../../x402/open-quote.ts'
import { canonicalRequest } from '../../../x402/request-hash.ts'
import type { PaymentPayload } from '../../../x402/schemas.ts'
import type { PaymentCaller } from '../../auth/payment-proof.ts'
import type { RequestDeps } from '../../deps.ts'
import { rateLimited } from '../../rate-limits/enforce.ts'
import { assertMayBuy } from '../quote/eligibility.ts'
import { offerFor, requirementsOf } from '../quote/offer.ts'
import { promisedTerms } from '../quote/quote.ts'
import { type InferenceRequest, parseInferenceRequest } from '../quote/request.ts'
import type { Endpoint } from '../quote/signed-out.ts'

/** A paid call as it came in. `body` is the parsed JSON before trimming and defaults. */
export interface PaidCall extends PaymentCaller {
  /** Where it came in: a challenge in its answer is bound to this path. */
  endpoint: Endpoint
  body: unknown
  payload: PaymentPayload
  arrivedAt: Date
  /** The caller's network address; `unknown` where the platform does not vouch for one. */
  clientAddress: string
}

/** Why a payment that is new may not be taken: a problem of the request, or of the payment (402 with a fresh quote). */
export type Refusal =
  | { kind: 'problem'; error: AppError }
  | { kind: 'payment'; code: 'payment_rejected' | 'quote_expired'; reason: string }

/** A payment that may be claimed. */
export interface Accepted {
  request: InferenceRequest
  terms: Terms
  signature: `0x${string}`
  signatureRecovered: boolean
}

type Verdict = { kind: 'accepted'; accepted: Accepted } | { kind: 'refused'; refusal: Refusal }

export type Validation = { requestHash: string } & Verdict

/**
 * Checks a payment. Returns a refusal instead of throwing it, because an earlier purchase with this payment takes precedence.
 * Makes no call out with a usable quote, except one read of the payer's code where the signature is not a plain account's.
 * `addressLimit` is the rate limit of the caller's address. Above it, nothing of the wallet is read from the chain.
 */
export async function validatePayment(
  deps: RequestDeps,
  call: PaidCall,
  addressLimit: RateLimitDecision,
): Promise<Validation> {
  const canonical = canonicalRequest(call.body)
  const hash = await sha256(canonical)
  if (!addressLimit.allowed) {
    const error = rateLimited('claims', addressLimit, { paymentState: 'unused' })
    return { requestHash: hash, ...refused({ kind: 'problem', error }) }
  }
  return { requestHash: hash, ...(await validate(deps, call, canonical)) }
}

const refused = (refusal: Refusal): Verdict => ({ kind: 'refused', refusal })
const rejected = (reason: string): Verdict => refused({ kind: 'payment', code: 'payment_rejected', reason })

async function validate(deps: RequestDeps, call: PaidCall, canonical: string): Promise<Verdict> {
  try {
    const request = parseInferenceRequest(call.body)
    await assertMayBuy(deps, call.session, request.model)
    const quote = await promisedFor(deps, call, request, canonical)
    if ('code' in quote) return refused(quote)
    return await validateTransfer(deps, call, request, quote)
  } catch (error) {
    return refused({ kind: 'problem', error: error instanceof AppError ? error : notValidated(deps, error) })
  }
}

/** The payment could not be validated. Nothing is claimed or sent then. */
function notValidated(deps: RequestDeps, cause: unknown): AppError {
  deps.log.error('validate.fault', { cause: describeError(cause) })
  const code = cause instanceof DatabaseUnavailable ? 'database_unavailable' : 'internal_error'
  return new AppError(
    code,
    {
      detail: 'Nothing was charged; send the same payment again.',
      paymentState: 'unused',
      nextAction: 'retry_same_payment',
      retryAfterSeconds: 5,
    },
    { cause },
  )
}

/** The quote this payment was signed for; without a usable one the present price, if that is what is paid. */
async function promisedFor(
  deps: RequestDeps,
  call: PaidCall,
  request: InferenceRequest,
  canonical: string,
): Promise<Promised | (Refusal & { kind: 'payment' })> {
  const subject = { session: call.session, model: request.model, request: canonical }
  const promised = await promisedTerms(deps, subject, quoteTokenOf(call.payload))
  if (promised !== null) return promised
  const refusal = {
    kind: 'payment',
    code: 'quote_expired',
    reason: 'the quote is missing, has expired or is not for this request',
  } as const
  // Here the quote is the sign-in as well, so it must be usable.
  if (call.proof?.by === 'open_quote') return refusal
  const { terms: present } = await offerFor(deps, call.session, request.model)
  const entry = entryFor(present, call.payload)
  if (entry !== null && entry.amount === call.payload.payload.authorization.value) return present
  return refusal
}

/** The entry of the quote that the payment claims to pay: by network and asset. */
function entryFor(quote: Promised, payload: PaymentPayload): QuoteEntry | null {
  const { network, asset } = payload.accepted
  const same = (entry: QuoteEntry): boolean =>
    entry.network === network && entry.asset.toLowerCase() === asset.toLowerCase()
  return quote.entries.find(same) ?? null
}

async function validateTransfer(
  deps: RequestDeps,
  call: PaidCall,
  request: InferenceRequest,
  quote: Promised,
): Promise<Verdict> {
  const { accepted, payload } = call.payload
  if (accepted.scheme !== 'exact') return rejected('unsupported_scheme')
  const entry = entryFor(quote, call.payload)
  if (entry === null) return rejected('invalid_payment_requirements')
  const requirements = requirementsOf(entry)
  if (accepted.amount !== entry.amount || accepted.payTo.toLowerCase() !== entry.payTo.toLowerCase()) {
    return rejected('invalid_payment_requirements')
  }
  const fault = checkAuthorization(payload.authorization, requirements, deps.now())
  if (fault !== null) return rejected(fault)
  const signature = await validateSignature(deps, call, requirements)
  if (signature.kind === 'bad') return signature.verdict
  const terms = termsOf(quote, entry)
  return {
    kind: 'accepted',
    accepted: { request, terms, signature: signature.value, signatureRecovered: signature.recovered },
  }
}

function termsOf(quote: Promised, entry: QuoteEntry): Terms {
  return {
    network: entry.network,
    payTo: entry.payTo,
    domain: { name: entry.name, version: entry.version },
    estimatedSeconds: quote.estimatedSeconds,
    estimatedCostUsdc: quote.estimatedCostUsdc,
    effectiveRateUsdc: quote.ratePerSec,
    discountPct: quote.discountPct,
    stakedAic: formatAmount(BigInt(quote.stakedAic), AIC_DECIMALS),
  }
}

type SignatureCheck = { kind: 'good'; value: `0x${string}`; recovered: boolean } | { kind: 'bad'; verdict: Verdict }

/** Plain accounts are checked here. A contract wallet's signature is passed on unchanged, on the session's chain only. */
async function validateSignature(
  deps: RequestDeps,
  call: PaidCall,
  requirements: ReturnType<typeof requirementsOf>,
): Promise<SignatureCheck> {
  const { authorization, signature } = call.payload.payload
  const finding = await inspectSignature(authorization, signature, transferDomain(requirements))
  if (finding.kind === 'recovered') return { kind: 'good', value: finding.signature, recovered: true }
  if (finding.kind === 'high_s') return { kind: 'bad', verdict: rejected(SIGNATURE_REASON) }
  const chainId = chainIdOf(requirements.network)
  if (!isUndeployedWallets(signature) && !(await mayHaveCode(deps, chainId, authorization.from))) {
    return { kind: 'bad', verdict: rejected(SIGNATURE_REASON) }
  }
  if (chainId !== call.session.chainId) {
    const error = new AppError('payer_mismatch', {
      detail: 'A contract wallet pays on the chain it signed in on.',
      paymentState: 'unused',
      nextAction: 'sign_in',
    })
    return { kind: 'bad', verdict: refused({ kind: 'problem', error }) }
  }
  return { kind: 'good', value: signature, recovered: false }
}

/** Per payer and chain, so that a wallet's refused payments do not read the chain each time. */
const readCode = makeReadCache<boolean>('chain.code_unread', 30_000)

/** One read, made only for a signature that is not a plain account's. When it fails, `/verify` decides. */
async function mayHaveCode(deps: RequestDeps, chainId: number, account: `0x${string}`): Promise<boolean> {
  const ask = (): Promise<boolean> => deps.chain.hasCode(chainId, account)
  return (await readCode(deps, { what: 'code', account, chainId, ask })) ?? true
}
