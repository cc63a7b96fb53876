import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { isRecordKey } from '../../domain/auth/payment-proof.ts'
import { exampleBody } from '../../domain/purchase/quote/bazaar.ts'
import { priceOf } from '../../domain/purchase/quote/price.ts'
import { parseEstimateRequest } from '../../domain/purchase/quote/request.ts'
import { resultBody, settledHeaders } from '../../domain/purchase/views/present.ts'
import { inferenceStatus, type Viewer } from '../../domain/purchase/views/status.ts'
import { inSlot } from '../../domain/rate-limits/read-costs.ts'
import { issueReceipt } from '../../domain/receipts/receipt.ts'
import { resultHeaders } from '../../domain/receipts/x402-receipt.ts'
import { hasPreference, prefersEventStream } from '../../lib/list-header.ts'
import type { AppEnv } from '../context.ts'
import { readJson, readJsonOrProbe } from '../middleware/body.ts'
import { noteModel } from '../middleware/deprecation.ts'
import { problemDocument, problemResponse } from '../middleware/problem.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { callerOf, requireSessionOrChallenge } from '../middleware/session.ts'
import { type AnswerForm, answerCall } from './answer-call.ts'
import { receiveCall } from './receive-call.ts'

type C = Context<AppEnv>

/** Middleware: the name of another call is not an id; a GET of it is that call's 405. */
const isNoCall =
  (name: string): MiddlewareHandler<AppEnv> =>
  async (c, next) =>
    c.req.param('id') === name ? c.notFound() : next()

/** True if the caller has the key of this purchase, in `X-Record-Key` or the query, and so may read it without a session. */
function hasKey(c: C, id: string): boolean {
  const { config, now } = c.get('deps')
  const key = c.req.header('X-Record-Key') ?? c.req.query('key')
  return key !== undefined && isRecordKey(config, id, key, now())
}

/** Middleware: one purchase is read by the holder of its key, or by the signed-in caller. */
const requireKeyOrSession: MiddlewareHandler<AppEnv, '/:id'> = async (c, next) =>
  hasKey(c, c.req.param('id')) ? next() : requireSessionOrChallenge(c, next)

const viewerOf = (c: C, id: string): Viewer => (hasKey(c, id) ? 'key_holder' : callerOf(c))

/** Whom a read counts for: the wallet, or the purchase that is read by its key. */
const readerOf = (viewer: Viewer, id: string): string => (viewer === 'key_holder' ? id : viewer.address)

/** The body of a call that buys. An empty probe is answered as a call of the first model with its example. */
async function readBody(c: C): Promise<unknown> {
  const sent = await readJsonOrProbe(c)
  const body = sent === undefined ? exampleBody() : sent
  noteModel(c, body)
  return body
}

export const inferenceRoutes = new Hono<AppEnv>()
  .post('/estimate', rateLimit('estimate'), async (c) => {
    const body = await readJson(c)
    noteModel(c, body)
    const price = await priceOf(c.get('deps'), c.get('session'), parseEstimateRequest(body))
    const { estimatedCostUsdc, estimatedSeconds } = price
    return c.json({ estimatedCostUsdc, estimatedSeconds: Number(estimatedSeconds) })
  })
  .post('/', async (c) => {
    const received = await receiveCall(c, readBody)
    return 'payload' in received ? answerCall(c, received, nativeForm(c)) : problemResponse(c, received)
  })
  .get('/:id', isNoCall('estimate'), requireKeyOrSession, async (c) => {
    const drive = c.req.method === 'GET'
    const [deps, id] = [c.get('deps'), c.req.param('id')]
    const viewer = viewerOf(c, id)
    const status = await inSlot(deps, 'status', readerOf(viewer, id), () => inferenceStatus(deps, viewer, id, drive))
    return c.json(status, 200, status.status === 'pending' ? { 'Retry-After': '2' } : {})
  })
  .get('/:id/receipt', requireKeyOrSession, async (c) => {
    const [deps, id] = [c.get('deps'), c.req.param('id')]
    const viewer = viewerOf(c, id)
    return c.json(await inSlot(deps, 'receipt', readerOf(viewer, id), () => issueReceipt(deps, viewer, id)))
  })

/** The native form: JSON, or the events of the purchase where `Accept` asks for them. */
const nativeForm = (c: C): AnswerForm => ({
  result: async (payment, record) =>
    c.json(resultBody(payment, record), 200, await resultHeaders(c.get('deps').config, payment, c.req.path)),
  pending: (body, payment) =>
    c.json(body, 202, { ...settledHeaders(payment), Location: body.statusUrl, 'Retry-After': '2' }),
  problem: (problem) => problemResponse(c, problem),
  respondAsync: hasPreference(c.req.header('Prefer'), 'respond-async'),
  stream: prefersEventStream(c.req.header('Accept'))
    ? {
        messages: ({ event, data }) => [{ event, data: JSON.stringify(data) }],
        pendingData: (body) => body,
        problemData: (problem) => problemDocument(problem, c.get('requestId')),
      }
    : null,
})
