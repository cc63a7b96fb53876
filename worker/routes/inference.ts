import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { isRecordKey } from '../auth/payment-proof.ts'
import type { AppEnv } from '../context.ts'
import type { Problem } from '../errors.ts'
import type { PurchaseAnswer } from '../inference/driver.ts'
import { answerAfterError, answerOf, type Purchase, startPurchase } from '../inference/purchase.ts'
import { priceOf } from '../inference/quote/price.ts'
import { parseEstimateRequest } from '../inference/quote/request.ts'
import { exampleBody } from '../inference/quote/signed-out.ts'
import type { PaidCall } from '../inference/steps/validate-payment.ts'
import { resultBody, settledHeaders } from '../inference/views/present.ts'
import { inferenceStatus, type Viewer } from '../inference/views/status.ts'
import { streamPurchase } from '../inference/views/stream.ts'
import { hasPreference, prefersEventStream } from '../lib/list-header.ts'
import { describeError } from '../lib/log.ts'
import { takeSlot } from '../lib/slots.ts'
import { readJson } from '../middleware/body.ts'
import { problemDocument, problemResponse, toAppError } from '../middleware/problem.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { rateLimit } from '../rate-limits/enforce.ts'
import { issueReceipt } from '../receipts/receipt.ts'
import { answerProblem, pendingFor, receiveCall } from './receive-call.ts'

const heartbeatMs = 10_000
/** Streams that may follow one purchase at a time, beside its driver's. */
const MAX_FOLLOWERS = 4
type C = Context<AppEnv>

/** Middleware: the name of another call is not an id; a GET of it is that call's 405. */
const isNoCall =
  (name: string): MiddlewareHandler<AppEnv> =>
  async (c, next) =>
    c.req.param('id') === name ? c.notFound() : next()

/** Whether the caller has the key of this purchase, and so may read it without a session. */
async function hasKey(c: C, id: string): Promise<boolean> {
  const key = c.req.query('key')
  return key !== undefined && (await isRecordKey(c.get('deps').config, id, key))
}

/** Middleware: one purchase is read by the holder of its key, or by the signed-in caller. */
const requireKeyOrSession: MiddlewareHandler<AppEnv, '/:id'> = async (c, next) =>
  (await hasKey(c, c.req.param('id'))) ? next() : requireSessionOrChallenge(c, next)

const viewerOf = async (c: C, id: string): Promise<Viewer> => ((await hasKey(c, id)) ? 'key_holder' : callerOf(c))

/** The body of a call that buys. A caller that is not signed in may send none, to learn what a call looks like and costs. */
async function readBody(c: C): Promise<unknown> {
  const isProbe = c.get('session') === null && c.req.header('Payment-Signature') === undefined
  if (isProbe && (await c.req.arrayBuffer()).byteLength === 0) return exampleBody()
  const body = await readJson(c)
  const isEmpty = typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
  return isProbe && isEmpty ? exampleBody() : body
}

export const inferenceRoutes = new Hono<AppEnv>()
  .post('/estimate', rateLimit('estimate'), async (c) => {
    const price = await priceOf(c.get('deps'), c.get('session'), parseEstimateRequest(await readJson(c)))
    const { estimatedCostUsdc, estimatedSeconds } = price
    return c.json({ estimatedCostUsdc, estimatedSeconds: Number(estimatedSeconds) })
  })
  .post('/', async (c) => {
    const received = await receiveCall(c, readBody)
    return 'payload' in received ? paid(c, received) : problemResponse(c, received)
  })
  .get('/:id', isNoCall('estimate'), requireKeyOrSession, async (c) => {
    const drive = c.req.method === 'GET'
    const status = await inferenceStatus(c.get('deps'), await viewerOf(c, c.req.param('id')), c.req.param('id'), drive)
    return c.json(status, 200, status.status === 'pending' ? { 'Retry-After': '2' } : {})
  })
  .get('/:id/receipt', requireKeyOrSession, async (c) =>
    c.json(await issueReceipt(c.get('deps'), await viewerOf(c, c.req.param('id')), c.req.param('id'))),
  )

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
  const problem = await answerProblem(c, call, answer)
  if (problem !== null) return problemResponse(c, problem)
  if (answer.kind === 'ended')
    return c.json(resultBody(answer.payment, answer.record), 200, settledHeaders(answer.payment))
  if (answer.kind !== 'pending') throw new Error(`no answer for ${answer.kind}`)
  const body = await pendingFor(c, call, answer.payment)
  return c.json(body, 202, {
    ...settledHeaders(answer.payment),
    Location: body.statusUrl,
    'Retry-After': '2',
  })
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
      await streamPurchase(deps, call, purchase, {
        send,
        problemDocument: document,
        problemOf: (answer) => answerProblem(c, call, answer),
        isGone: () => stream.aborted,
        pendingBody: (payment) => pendingFor(c, call, payment),
      })
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
