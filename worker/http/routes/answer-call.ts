import type { Context } from 'hono'
import { type SSEMessage, type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { InferenceRecord } from '../../../db/queries/inference-row.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { answerAfterError, answerOf, type Purchase, startPurchase } from '../../domain/purchase/purchase.ts'
import type { PurchaseAnswer } from '../../domain/purchase/purchase-answer.ts'
import type { PaidCall } from '../../domain/purchase/steps/validate-payment.ts'
import { type StreamMessage, streamPurchase } from '../../domain/purchase/views/stream.ts'
import type { Problem } from '../../errors.ts'
import { describeError } from '../../lib/log.ts'
import { takeSlot } from '../../lib/slots.ts'
import type { AppEnv } from '../context.ts'
import { toAppError } from '../middleware/problem.ts'
import { answerProblem, pendingFor } from './receive-call.ts'

const heartbeatMs = 10_000
/** Streams that may follow one purchase at a time, beside its driver's. */
const MAX_FOLLOWERS = 4
type C = Context<AppEnv>

export type PendingBody = Awaited<ReturnType<typeof pendingFor>>

/** How one call is answered: the form of its endpoint. */
export interface AnswerForm {
  /** The result. After an error here the purchase is answered as pending. */
  result(payment: Payment, record: InferenceRecord): Response | Promise<Response>
  /** Settled and not done yet. */
  pending(body: PendingBody, payment: Payment): Response
  problem(problem: Problem): Response
  /** True to answer as soon as the payment is settled. */
  respondAsync: boolean
  /** Null for a call that does not stream. */
  stream: StreamForm | null
}

export interface StreamForm {
  messages(message: StreamMessage): SSEMessage[]
  pendingData(body: PendingBody): unknown
  problemData(problem: Problem): unknown
}

/** Starts the purchase of a paid call and answers in the form of its endpoint. */
export async function answerCall(c: C, call: PaidCall, form: AnswerForm): Promise<Response> {
  const deps = c.get('deps')
  const purchase = startPurchase(deps, call, { awaitsResult: form.stream === null && !form.respondAsync })
  try {
    if (form.stream !== null) return await streamed(c, call, purchase, form, form.stream)
    const { respondAsync } = form
    return await answered(c, call, form, await answerOf(deps, purchase, { arrivedAt: call.arrivedAt, respondAsync }))
  } catch (error) {
    return answered(c, call, form, answerAfterError(deps, purchase.settled(), error))
  }
}

async function answered(c: C, call: PaidCall, form: AnswerForm, answer: PurchaseAnswer): Promise<Response> {
  const problem = await answerProblem(c, call, answer)
  if (problem !== null) return form.problem(problem)
  if (answer.kind === 'ended') return form.result(answer.payment, answer.record)
  if (answer.kind !== 'pending') throw new Error(`no answer for ${answer.kind}`)
  return form.pending(await pendingFor(c, call, answer.payment), answer.payment)
}

/** Up to and including `/verify` answers as usual; then the stream opens and shows the rest. */
async function streamed(
  c: C,
  call: PaidCall,
  purchase: Purchase,
  form: AnswerForm,
  { messages, pendingData, problemData }: StreamForm,
): Promise<Response> {
  const deps = c.get('deps')
  const early = await purchase.begun
  if (early !== null && early.kind !== 'in_progress' && !isFinished(early)) return answered(c, call, form, early)
  const slot = early?.kind === 'in_progress' ? takeSlot(deps, early.payment.inferenceId, MAX_FOLLOWERS) : undefined
  // Enough streams follow this purchase: its `statusUrl` is for everyone else.
  if (early !== null && slot === null) return answered(c, call, form, early)
  c.header('X-Accel-Buffering', 'no')
  return streamSSE(c, async (stream) => {
    const beat = heartbeats(stream, () => slot?.renew())
    const sending: Promise<void>[] = []
    const send = (message: StreamMessage): void => {
      for (const one of messages(message)) sending.push(stream.writeSSE(one))
    }
    try {
      await streamPurchase(deps, call, purchase, {
        send,
        problemDocument: problemData,
        problemOf: (answer) => answerProblem(c, call, answer),
        isGone: () => stream.aborted,
        pendingBody: async (payment) => pendingData(await pendingFor(c, call, payment)),
      })
    } catch (error) {
      deps.log.error('stream.fault', { cause: describeError(error) })
      send({ event: 'error', data: problemData(toAppError(error)) })
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
