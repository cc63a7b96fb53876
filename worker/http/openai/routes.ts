import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { Payment } from '../../../db/queries/payment-row.ts'
import type { RequestDeps } from '../../domain/deps.ts'
import { whyUnavailable } from '../../domain/models/availability.ts'
import { catalogue, findModel } from '../../domain/models/catalogue.ts'
import type { Model, Task } from '../../domain/models/model.ts'
import { exampleBody } from '../../domain/purchase/quote/bazaar.ts'
import { settledHeaders } from '../../domain/purchase/views/present.ts'
import { resultHeaders } from '../../domain/receipts/x402-receipt.ts'
import { AppError, type Problem } from '../../errors.ts'
import type { AppEnv } from '../context.ts'
import { readJson, readJsonOrProbe } from '../middleware/body.ts'
import { noteModel } from '../middleware/deprecation.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import {
  type ChatBody,
  chatBody,
  imageBody,
  type ResponseBody,
  responseBody,
  speechBody,
} from '../openapi/openai-requests.ts'
import { type AnswerForm, answerCall, type PendingBody } from '../routes/answer-call.ts'
import { receiveCall } from '../routes/receive-call.ts'
import { type Asked, chatAnswer, imageAnswer, imageFilesAnswer, soundFileAnswer, urlsOf } from './answers.ts'
import { parseBody } from './body.ts'
import { chatRequest, chatStops, turnsOf } from './chat.ts'
import { makeChunks } from './chunks.ts'
import { openaiError, openaiErrorResponse } from './error.ts'
import { imageRequest, speechRequest } from './media.ts'
import { makeResponseEvents, responseAnswer, responseRequest } from './responses.ts'

type C = Context<AppEnv>

/** Middleware: with `OPENAI_ROUTES=false` none of these paths exists. */
const whereSwitchedOn: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!c.get('deps').config.openaiRoutes) throw new AppError('not_found', { detail: 'No such path.' })
  await next()
}

/** Paid, and not to be had yet. The same payment brings the result. */
const notReady = ({ statusUrl }: PendingBody): Problem => ({
  code: 'payment_in_progress',
  details: {
    detail:
      'The result is paid and not ready. Send the same request with the same payment again, or ask at `statusUrl`.',
    paymentState: 'settled',
    nextAction: 'retry_same_payment',
    statusUrl,
    retryAfterSeconds: 2,
  },
  headers: {},
})

/** The common part of the four calls. */
const baseForm = (c: C): Omit<AnswerForm, 'result'> => ({
  pending: (body, payment) => openaiErrorResponse(c, { ...notReady(body), headers: settledHeaders(payment) }, 503),
  problem: (problem) => openaiErrorResponse(c, problem),
  respondAsync: false,
  stream: null,
})

const headersOf = (c: C, payment: Payment) => resultHeaders(c.get('deps').config, payment, c.req.path)

const imageForm = (c: C, isBase64: boolean): AnswerForm => ({
  ...baseForm(c),
  result: async (payment, record) => {
    const headers = await headersOf(c, payment)
    if (!isBase64) return c.json(imageAnswer(payment, record), 200, headers)
    const body = await imageFilesAnswer(c.get('deps'), payment, record)
    return c.body(body, 200, { 'Content-Type': 'application/json', ...headers })
  },
})

const speechForm = (c: C): AnswerForm => ({
  ...baseForm(c),
  result: async (payment, record) => {
    const url = urlsOf(record)[0] ?? ''
    const file = await soundFileAnswer(c.get('deps'), payment, record)
    return c.body(file.body, 200, {
      'Content-Type': file.contentType,
      'Content-Disposition': `inline; filename="speech${url.slice(url.lastIndexOf('.'))}"`,
      ...(await headersOf(c, payment)),
    })
  },
})

function chatForm(c: C, body: ChatBody): AnswerForm {
  const asked = {
    asked: turnsOf(body)
      .map(({ text }) => text)
      .join(''),
    stops: chatStops(body),
  }
  return {
    ...baseForm(c),
    result: async (payment, record) => c.json(chatAnswer(payment, record, asked), 200, await headersOf(c, payment)),
    stream: body.stream === true ? chatStream(c, body, asked) : null,
  }
}

function chatStream(c: C, { model, stream_options }: ChatBody, asked: Asked): AnswerForm['stream'] {
  const created = Math.floor(c.get('deps').now().getTime() / 1000)
  const showsUsage = stream_options?.include_usage === true
  const chunksOf = makeChunks({ model, created, showsUsage, ...asked })
  return {
    messages: (message) => chunksOf(message).map((data) => ({ data })),
    pendingData: (body) => openaiError(c.req.path, notReady(body), 503),
    problemData: (problem) => openaiError(c.req.path, problem),
  }
}

const responseForm = (c: C, body: ResponseBody): AnswerForm => ({
  ...baseForm(c),
  result: async (payment, record) => c.json(responseAnswer(payment, record, body), 200, await headersOf(c, payment)),
  stream: body.stream === true ? responseStream(c, body) : null,
})

const responseStream = (c: C, body: ResponseBody): AnswerForm['stream'] => ({
  messages: makeResponseEvents(body, Math.floor(c.get('deps').now().getTime() / 1000)),
  pendingData: (pending) => openaiError(c.req.path, notReady(pending), 503),
  problemData: (problem) => openaiError(c.req.path, problem),
})

const firstOf = (wanted: Task): Model | undefined => catalogue.find(({ task }) => task === wanted)

/** Receives a call in this form and buys what it asks for. An empty probe is answered as a call of the first model of the task. */
async function buy<Schema extends z.ZodType>(
  c: C,
  task: Task,
  schema: Schema,
  requestOf: (body: z.output<Schema>) => unknown,
  formOf: (body: z.output<Schema>) => AnswerForm,
): Promise<Response> {
  const received = await receiveCall(c, async () => {
    const body = await readJsonOrProbe(c)
    const request = body === undefined ? exampleBody(firstOf(task)) : requestOf(parseBody(schema, body))
    noteModel(c, request)
    return request
  })
  if (!('payload' in received)) return openaiErrorResponse(c, received)
  return answerCall(c, received, formOf(parseBody(schema, await readJson(c))))
}

/** OpenAI's form of the purchase, under `/v1`: a translation into the same call and back. */
export const openaiRoutes = new Hono<AppEnv>()
  .use(whereSwitchedOn)
  .get('/models', rateLimit('models'), async (c) => c.json(await listModels(c.get('deps'))))
  // An id holds a slash, as it is or encoded.
  .get('/models/*', rateLimit('models'), async (c) =>
    c.json(await readModel(c.get('deps'), c.req.path.slice(c.req.path.indexOf('/models/') + '/models/'.length))),
  )
  .post('/images/generations', (c) =>
    buy(c, 'text-to-image', imageBody(), imageRequest, ({ response_format }) =>
      imageForm(c, response_format === 'b64_json'),
    ),
  )
  .post('/chat/completions', (c) => buy(c, 'text-to-text', chatBody(), chatRequest, (body) => chatForm(c, body)))
  .post('/responses', (c) => buy(c, 'text-to-text', responseBody(), responseRequest, (body) => responseForm(c, body)))
  .post('/audio/speech', (c) => buy(c, 'text-to-sound', speechBody(), speechRequest, () => speechForm(c)))

/** A model as OpenAI's clients list it. */
const present = ({ id, publishedOn }: Model) => ({
  id,
  object: 'model' as const,
  created: Date.parse(publishedOn) / 1000,
  owned_by: id.split('/')[0] ?? '',
})

/** The models that are sold now. */
async function listModels(deps: RequestDeps) {
  const reasons = await Promise.all(catalogue.map((model) => whyUnavailable(deps, model)))
  const data = catalogue.filter((_, index) => reasons[index] === null).map(present)
  return { object: 'list' as const, data }
}

/** One model that is sold now, by the rest of its path: its id, whose slash may be encoded. Throws `model_not_found`. */
async function readModel(deps: RequestDeps, path: string) {
  const model = findModel(path.replaceAll(/%2f/gi, '/'))
  if (model !== undefined && (await whyUnavailable(deps, model)) === null) return present(model)
  throw new AppError('model_not_found', { detail: 'GET /v1/models lists what can be run.' })
}
