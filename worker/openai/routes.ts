import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { Payment } from '../../db/queries/payment-row.ts'
import type { AppEnv } from '../context.ts'
import { AppError, type Problem } from '../errors.ts'
import { exampleBody } from '../inference/quote/signed-out.ts'
import { settledHeaders } from '../inference/views/present.ts'
import { invalidRequest, readJson, readJsonOrProbe } from '../middleware/body.ts'
import { noteModel } from '../middleware/deprecation.ts'
import { catalogue } from '../models/catalogue.ts'
import type { Model, Task } from '../models/model.ts'
import { rateLimit } from '../rate-limits/enforce.ts'
import { resultHeaders } from '../receipts/x402-receipt.ts'
import { type AnswerForm, answerCall, type PendingBody } from '../routes/answer-call.ts'
import { receiveCall } from '../routes/receive-call.ts'
import { chatAnswer, imageAnswer, imageFilesAnswer, soundFileAnswer } from './answers.ts'
import { type ChatBody, chatBody, chatRequest } from './chat.ts'
import { makeChunks } from './chunks.ts'
import { openaiError, openaiErrorResponse } from './error.ts'
import { imageBody, imageRequest } from './images.ts'
import { speechBody, speechRequest } from './speech.ts'

type C = Context<AppEnv>

/** Middleware: with `OPENAI_ROUTES=false` none of these paths exists. */
const whereSwitchedOn: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!c.get('deps').config.openaiRoutes) throw new AppError('not_found', { detail: 'No such path.' })
  await next()
}

/** The body of a call, without the members that this form does not know. Throws `invalid_request`. */
function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
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

/** What the three calls have in common. */
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
    const file = await soundFileAnswer(c.get('deps'), payment, record)
    return c.body(file.body, 200, { 'Content-Type': file.contentType, ...(await headersOf(c, payment)) })
  },
})

function chatForm(c: C, body: ChatBody): AnswerForm {
  const asked = body.messages.map(({ content }) => textOf(content)).join('')
  return {
    ...baseForm(c),
    result: async (payment, record) => c.json(chatAnswer(payment, record, asked), 200, await headersOf(c, payment)),
    stream: body.stream === true ? chatStream(c, body, asked) : null,
  }
}

const textOf = (content: ChatBody['messages'][number]['content']): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('')

function chatStream(c: C, { model, stream_options }: ChatBody, asked: string): AnswerForm['stream'] {
  const created = Math.floor(c.get('deps').now().getTime() / 1000)
  const chunksOf = makeChunks({ model, created, usageFor: stream_options?.include_usage === true ? asked : null })
  return {
    messages: (message) => chunksOf(message).map((data) => ({ data })),
    pendingData: (body) => openaiError(c.req.path, notReady(body), 503),
    problemData: (problem) => openaiError(c.req.path, problem),
  }
}

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
  .get('/models', rateLimit('models'), (c) =>
    c.json({
      object: 'list',
      data: catalogue.map(({ id }) => ({ id, object: 'model', created: 0, owned_by: id.split('/')[0] })),
    }),
  )
  .post('/images/generations', (c) =>
    buy(c, 'text-to-image', imageBody(), imageRequest, ({ response_format }) =>
      imageForm(c, response_format === 'b64_json'),
    ),
  )
  .post('/chat/completions', (c) => buy(c, 'text-to-text', chatBody(), chatRequest, (body) => chatForm(c, body)))
  .post('/audio/speech', (c) => buy(c, 'text-to-sound', speechBody(), speechRequest, () => speechForm(c)))
