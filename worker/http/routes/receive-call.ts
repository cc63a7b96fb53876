import type { Context } from 'hono'
import { bindNonce, requestKey } from '../../../db/queries/challenge-nonces.ts'
import { findByAuthorization } from '../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { endpointPath } from '../../domain/auth/origin.ts'
import { callerOfHeader, callerOfPayment, type PaymentCaller, recordKey } from '../../domain/auth/payment-proof.ts'
import type { RequestDeps, Session } from '../../domain/deps.ts'
import { paymentStateOf, statusUrl } from '../../domain/purchase/payment-facts.ts'
import type { PurchaseAnswer } from '../../domain/purchase/purchase-answer.ts'
import { assertAvailable, assertMayBuy } from '../../domain/purchase/quote/eligibility.ts'
import type { ChallengedSubject } from '../../domain/purchase/quote/quote.ts'
import { parseInferenceRequest } from '../../domain/purchase/quote/request.ts'
import type { Endpoint } from '../../domain/purchase/quote/signed-out.ts'
import type { PaidCall } from '../../domain/purchase/steps/validate-payment.ts'
import { OLD_PAYMENT_HEADER, paymentProblem, unprovenProblem } from '../../domain/purchase/views/challenge-problem.ts'
import { pendingBody, problemOf } from '../../domain/purchase/views/present.ts'
import { enforceRateLimit } from '../../domain/rate-limits/enforce.ts'
import { AppError, type Problem, type ProblemDetails } from '../../errors.ts'
import { rateLimitKey } from '../../lib/client-address.ts'
import { sha256 } from '../../lib/digest.ts'
import { decodePaymentSignature, journalKeyOf } from '../../x402/headers.ts'
import { canonicalRequest } from '../../x402/request-hash.ts'
import type { PaymentPayload } from '../../x402/schemas.ts'
import type { AppEnv } from '../context.ts'
import { assertCsrf } from '../middleware/csrf.ts'

type C = Context<AppEnv>

const endpointOf = (c: C): Endpoint => ({ origin: c.get('origin'), path: endpointPath(c.req.path) })

function subjectOf(c: C, session: Session | null, body: unknown): ChallengedSubject {
  const { model } = parseInferenceRequest(body)
  return { session, model, request: canonicalRequest(body), endpoint: endpointOf(c) }
}

/**
 * Receives a call that buys, at any endpoint: the paid call, ready to start, or the 402 that answers an unpaid or unproven one.
 * `readBody` returns `{ task, model, input }` as parsed JSON. Throws `AppError` for what is refused before a payment is looked at.
 */
export async function receiveCall(c: C, readBody: (c: C) => Promise<unknown>): Promise<PaidCall | Problem> {
  const arrivedAt = c.get('deps').now()
  const session = c.get('session')
  // A cookie alone could be sent by another site's page. A proof in a header cannot.
  if (session !== null && c.get('proof') === null) assertCsrf(c)
  const body = await readBody(c)
  const header = c.req.header('Payment-Signature')
  if (header === undefined) return unpaid(c, session, body)
  const payload = decodePaymentSignature(header)
  const caller = callerOfPaidCall(c, session, payload)
  if (caller === null) return unproven(c, body, payload)
  return { ...caller, endpoint: endpointOf(c), body, payload, arrivedAt, clientAddress: c.get('clientAddress') }
}

/** A call without a payment: the price, as a 402. A proof in its header is bound to this request. */
async function unpaid(c: C, session: Session | null, body: unknown): Promise<Problem> {
  const deps = c.get('deps')
  const subject = subjectOf(c, session, body)
  const isOld = c.req.header('X-PAYMENT') !== undefined
  const refusal = isOld ? OLD_PAYMENT_HEADER : ({ code: 'payment_required', reason: 'Payment required' } as const)
  if (session === null) {
    await enforceRateLimit(deps, 'estimate', rateLimitKey(c.get('clientAddress')))
    await assertAvailable(deps, subject.model)
    return paymentProblem(deps, subject, refusal)
  }
  const nonce = c.get('proof')?.nonce
  // A wallet costs nothing to make: proofs count for their address too, as sign-ins do.
  if (nonce !== undefined) await enforceRateLimit(deps, 'estimate', rateLimitKey(c.get('clientAddress')))
  await enforceRateLimit(deps, 'unpaid', session.address)
  await assertMayBuy(deps, session, subject.model)
  if (nonce === undefined) return paymentProblem(deps, subject, refusal)
  const { chainId } = session
  const address = session.address.toLowerCase()
  const boundTo = requestKey({ address, chainId, requestHash: await sha256(subject.request) })
  if (!(await bindNonce(deps.database, { nonce, address, boundTo, now: deps.now() }))) throw nonceUsed()
  return paymentProblem(deps, { ...subject, boundNonce: nonce }, refusal)
}

/** The caller of a paid call, by header, cookie or the payment itself. Throws 403 when another wallet pays. */
function callerOfPaidCall(c: C, session: Session | null, payload: PaymentPayload): PaymentCaller | null {
  if (session === null) return callerOfPayment(c.get('deps'), payload)
  if (payload.payload.authorization.from.toLowerCase() !== session.address.toLowerCase()) {
    throw new AppError('payer_mismatch', {
      detail: 'The payment is signed by another wallet than the one that is signed in.',
      // The journal was not read: the payment may be settled, and its owner must not be asked to sign another.
      paymentState: 'unknown',
      nextAction: 'sign_in',
    })
  }
  const proof = c.get('proof')
  return proof === null ? { session, proof: null } : callerOfHeader(proof)
}

/** A paid call without any proof: what is known of the payment, and a challenge. */
async function unproven(c: C, body: unknown, payload: PaymentPayload): Promise<Problem> {
  const deps = c.get('deps')
  await enforceRateLimit(deps, 'estimate', rateLimitKey(c.get('clientAddress')))
  return unprovenOf(c, body, await findByAuthorization(deps.database, journalKeyOf(payload)))
}

/** Also where its body is not valid, or no price can be worked out, the answer says what is known of the payment. */
async function unprovenOf(c: C, body: unknown, payment: Payment | null): Promise<Problem> {
  const paymentState = paymentStateOf(payment)
  try {
    return await unprovenProblem(c.get('deps'), subjectOf(c, null, body), paymentState)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, details, headers } = error
    return { code, details: { ...details, paymentState }, headers }
  }
}

const nonceUsed = (details: ProblemDetails = {}): AppError =>
  new AppError('nonce_used', {
    detail: 'The nonce of this proof was used before. Ask for a new challenge.',
    ...details,
  })

/** The problem that an answer is; null for results. The one exit of paid calls, at every endpoint. */
export async function answerProblem(c: C, call: PaidCall, answer: PurchaseAnswer): Promise<Problem | null> {
  const deps = c.get('deps')
  if (answer.kind === 'unproven') return unprovenAnswer(c, call, answer.payment)
  if (answer.kind === 'rejected') {
    const { payload, accepted } = call.payload
    const refused = answer.settleRefused && { network: accepted.network, payer: payload.authorization.from }
    return paymentProblem(deps, subjectOf(c, sessionOf(call), call.body), {
      ...answer,
      ...(refused && { refused }),
    })
  }
  const problem = problemOf(answer)
  if (problem === null || problem.details.statusUrl === undefined || !('payment' in answer)) return problem
  const { code, details, headers } = problem
  return { code, headers, details: { ...details, statusUrl: statusUrlFor(deps, call, answer.payment) } }
}

/** A caller by open quote keeps getting open quotes: it has no session to which another would belong. */
const sessionOf = ({ session, proof }: PaidCall): Session | null => (proof?.by === 'open_quote' ? null : session)

async function unprovenAnswer(c: C, call: PaidCall, payment: Payment | null): Promise<Problem> {
  if (call.proof?.by === 'header') throw nonceUsed({ paymentState: paymentStateOf(payment) })
  if (call.proof?.by === 'open_quote' && payment === null) {
    return paymentProblem(c.get('deps'), subjectOf(c, null, call.body), {
      code: 'quote_expired',
      reason: 'this quote is for one payment, and was used',
    })
  }
  return unprovenOf(c, call.body, payment)
}

/** The 202 body of a purchase, with the address under which this caller may read it. */
export function pendingFor(c: C, call: PaidCall, payment: Payment) {
  return { ...pendingBody(payment), statusUrl: statusUrlFor(c.get('deps'), call, payment) }
}

function statusUrlFor(deps: RequestDeps, call: PaidCall, { inferenceId }: Payment): string {
  const url = statusUrl(inferenceId)
  return call.proof?.by === 'open_quote' ? `${url}?key=${recordKey(deps.config, inferenceId, deps.now())}` : url
}
