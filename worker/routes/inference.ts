import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { AppEnv, Session } from '../context.ts'
import { AppError, type Problem } from '../errors.ts'
import type { PurchaseAnswer } from '../inference/driver.ts'
import { answerAfterError, answerOf, type Purchase, startPurchase } from '../inference/purchase.ts'
import { assertMayBuy } from '../inference/quote/eligibility.ts'
import { priceOf } from '../inference/quote/price.ts'
import { parseEstimateRequest, parseInferenceRequest } from '../inference/quote/request.ts'
import type { PaidCall } from '../inference/steps/validate-payment.ts'
import {
  paymentProblem,
  pendingBody,
  problemOf,
  resultBody,
  settledHeaders,
  statusUrl,
} from '../inference/views/present.ts'
import { inferenceStatus } from '../inference/views/status.ts'
import { streamPurchase } from '../inference/views/stream.ts'
import { hasPreference, prefersEventStream } from '../lib/list-header.ts'
import { describeError } from '../lib/log.ts'
import { takeSlot } from '../lib/slots.ts'
import { readJson } from '../middleware/body.ts'
import { assertCsrf } from '../middleware/csrf.ts'
import { problemDocument, problemResponse, toAppError } from '../middleware/problem.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { callerOf, requireSession } from '../middleware/session.ts'
import { decodePaymentSignature } from '../payments/headers.ts'
import { requestHash } from '../payments/request-hash.ts'
import { enforceRateLimit } from '../rate-limits/enforce.ts'
import { issueReceipt } from '../receipts/receipt.ts'

const heartbeatMs = 10_000
/** Streams that may follow one purchase at a time, beside its driver's. */
const MAX_FOLLOWERS = 4
type C = Context<AppEnv>

/** Middleware: the name of a call beside `/:id` is nobody's id; who asks for it gets that call's 405. */
const isNoCall =
  (name: string): MiddlewareHandler<AppEnv> =>
  async (c, next) =>
    c.req.param('id') === name ? c.notFound() : next()

export const inferenceRoutes = new Hono<AppEnv>()
  .post('/estimate', rateLimit('estimate'), async (c) => {
    const price = await priceOf(c.get('deps'), c.get('session'), parseEstimateRequest(await readJson(c)))
    const { estimatedCostUsdc, estimatedSeconds } = price
    return c.json({ estimatedCostUsdc, estimatedSeconds: Number(estimatedSeconds) })
  })
  .post('/', async (c) => {
    const arrivedAt = c.get('deps').now()
    const session = callerOf(c)
    await assertCsrf(c)
    const body = await readJson(c)
    const header = c.req.header('Payment-Signature')
    if (header === undefined) return unpaid(c, session, body)
    const payload = decodePaymentSignature(header)
    if (payload.payload.authorization.from.toLowerCase() !== session.address.toLowerCase()) {
      throw new AppError('payer_mismatch', {
        detail: 'The payment is signed by another wallet than the one that is signed in.',
        // Nobody looked: it may be settled, and its owner must not be told to sign another.
        paymentState: 'unknown',
        nextAction: 'sign_in',
      })
    }
    return paid(c, { session, body, payload, arrivedAt, clientAddress: c.get('clientAddress') })
  })
  .get('/:id', isNoCall('estimate'), requireSession, async (c) => {
    const drive = c.req.method === 'GET'
    const status = await inferenceStatus(c.get('deps'), callerOf(c), c.req.param('id'), drive)
    return c.json(status, 200, status.status === 'pending' ? { 'Retry-After': '2' } : {})
  })
  .get('/:id/receipt', requireSession, async (c) =>
    c.json(await issueReceipt(c.get('deps'), callerOf(c), c.req.param('id'))),
  )

/** A call without a payment: the price, as a 402. */
async function unpaid(c: C, session: Session, body: unknown): Promise<Response> {
  const deps = c.get('deps')
  const { model } = parseInferenceRequest(body)
  await enforceRateLimit(deps, 'unpaid', session.address)
  await assertMayBuy(deps, session, model)
  const subject = { session, model, requestHash: await requestHash(body) }
  return problemResponse(
    c,
    await paymentProblem(deps, subject, { code: 'payment_required', reason: 'Payment required' }),
  )
}

async function paid(c: C, call: PaidCall): Promise<Response> {
  const deps = c.get('deps')
  const purchase = startPurchase(deps, call)
  try {
    if (prefersEventStream(c.req.header('Accept'))) return await streamed(c, call, purchase)
    const respondAsync = hasPreference(c.req.header('Prefer'), 'respond-async')
    return await answered(c, call, await answerOf(deps, purchase, { arrivedAt: call.arrivedAt, respondAsync }))
  } catch (error) {
    return answered(c, call, answerAfterError(deps, purchase.settled(), error))
  }
}

async function answered(c: C, call: PaidCall, answer: PurchaseAnswer): Promise<Response> {
  if (answer.kind === 'rejected') return problemResponse(c, await rejection(c, call, answer))
  const problem = problemOf(answer)
  if (problem !== null) return problemResponse(c, problem)
  if (answer.kind === 'ended')
    return c.json(resultBody(answer.payment, answer.record), 200, settledHeaders(answer.payment))
  if (answer.kind !== 'pending') throw new Error(`no answer for ${answer.kind}`)
  return c.json(pendingBody(answer.payment), 202, {
    ...settledHeaders(answer.payment),
    Location: statusUrl(answer.payment.inferenceId),
    'Retry-After': '2',
  })
}

/** A payment that was not made, answered with a fresh quote for the same request. */
async function rejection(c: C, call: PaidCall, answer: PurchaseAnswer & { kind: 'rejected' }): Promise<Problem> {
  const { model } = parseInferenceRequest(call.body)
  const subject = { session: call.session, model, requestHash: await requestHash(call.body) }
  const { network } = call.payload.accepted
  return paymentProblem(c.get('deps'), subject, { ...answer, ...(answer.settleRefused && { refusedOn: network }) })
}

/** Up to and including `/verify` answers as usual; then the stream opens and shows the rest. */
async function streamed(c: C, call: PaidCall, purchase: Purchase): Promise<Response> {
  const [deps, requestId] = [c.get('deps'), c.get('requestId')]
  const early = await purchase.begun
  if (early !== null && early.kind !== 'in_progress' && !isFinished(early)) return answered(c, call, early)
  const slot = early?.kind === 'in_progress' ? takeSlot(deps, early.payment.inferenceId, MAX_FOLLOWERS) : undefined
  // Enough streams follow this purchase: its `statusUrl` is for everyone else.
  if (early !== null && slot === null) return answered(c, call, early)
  const document = (problem: Problem): unknown => problemDocument(problem, requestId)
  c.header('X-Accel-Buffering', 'no')
  return streamSSE(c, async (stream) => {
    const beat = heartbeats(stream, () => slot?.renew())
    const sending: Promise<void>[] = []
    const send = (message: { event: string; data: unknown }): void => {
      sending.push(stream.writeSSE({ event: message.event, data: JSON.stringify(message.data) }))
    }
    try {
      const unpaid = (answer: PurchaseAnswer & { kind: 'rejected' }) => rejection(c, call, answer)
      const isGone = (): boolean => stream.aborted
      await streamPurchase(deps, call, purchase, { send, problemDocument: document, unpaid, isGone })
    } catch (error) {
      deps.log.error('stream.fault', { cause: describeError(error) })
      send({ event: 'error', data: document(toAppError(error)) })
    } finally {
      await Promise.all(sending)
      clearInterval(beat)
      slot?.release()
    }
  })
}

/** Ended or waiting purchases are shown as a short stream; problems and refusals before settlement as plain answers. */
const isFinished = (answer: PurchaseAnswer): boolean => answer.kind === 'ended' || answer.kind === 'pending'

/** Comment lines keep proxies from closing a quiet stream. */
const heartbeats = (stream: SSEStreamingApi, renew: () => void) =>
  setInterval(() => {
    renew()
    void stream.write(': waiting\n\n')
  }, heartbeatMs)
