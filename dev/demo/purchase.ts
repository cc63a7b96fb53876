import type { PrivateKeyAccount } from 'viem/accounts'
import * as z from 'zod'
import {
  type Accept,
  asResult,
  type PaymentRequired,
  problemSchema,
  Refused,
  type Result,
  refusalOf,
  requiredSchema,
  statusSchema,
} from './api.ts'
import { readEvents } from './event-stream.ts'
import { signPayment } from './payment.ts'
import type { Session } from './session.ts'

/** What a purchase tells while it goes on. */
export type Progress =
  | { stage: 'quoted'; amount: string }
  | { stage: 'signed' }
  | { stage: 'settled'; transaction: string }
  | { stage: 'running'; log: string }
  | { stage: 'token'; text: string }
  | { stage: 'stored' }
  | { stage: 'again'; why: string }

export interface Order {
  task: string
  model: string
  input: Record<string, unknown>
}

const PATH = '/api/inference'
const settledSchema = z.object({ transaction: z.string() })
const runningSchema = z.looseObject({ logs: z.string().nullish() })
const tokenSchema = z.object({ text: z.string() })
const MAX_SENDINGS = 20

/** Asks for the price of an order: the 402 with its quote. Throws `Refused` for anything else. */
export async function quote(session: Session, order: Order): Promise<PaymentRequired> {
  const response = await session.call(PATH, { method: 'POST', body: order })
  const header = response.headers.get('payment-required')
  if (response.status !== 402 || header === null) throw await refusalOf(response)
  return requiredSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')))
}

/**
 * Buys: quote, one signature, then the same header as often as it takes. A connection that is lost, a service that is away, a
 * settlement not yet known: the same payment is sent again or its status followed, never a second one signed.
 */
export async function buy(
  session: Session,
  account: PrivateKeyAccount,
  order: Order,
  choose: (required: PaymentRequired) => Accept,
  tell: (progress: Progress) => void,
): Promise<Result> {
  const required = await quote(session, order)
  const accept = choose(required)
  tell({ stage: 'quoted', amount: `${accept.amount} atomic units of ${accept.extra.name}` })
  const header = await signPayment(account, required, accept, Math.floor(Date.now() / 1_000))
  tell({ stage: 'signed' })
  for (let sending = 1; ; sending++) {
    try {
      return await send(session, order, header, tell)
    } catch (error) {
      const waitSeconds = retryAfter(error)
      if (waitSeconds === null || sending === MAX_SENDINGS) throw error
      tell({ stage: 'again', why: error instanceof Error ? error.message : String(error) })
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000))
    }
  }
}

/** Seconds after which the same payment may be sent again; null when that would change nothing. */
function retryAfter(error: unknown): number | null {
  if (!(error instanceof Refused)) return error instanceof z.ZodError ? null : 1
  const { code, retryAfterSeconds } = error.problem
  const isPassing = code === 'rate_limited' || code === 'settlement_unknown' || /_unavailable$|^http_5/.test(code)
  return isPassing ? (retryAfterSeconds ?? 2) : null
}

async function send(
  session: Session,
  order: Order,
  header: string,
  tell: (progress: Progress) => void,
): Promise<Result> {
  const headers = { 'payment-signature': header, accept: 'text/event-stream, application/json' }
  const response = await session.call(PATH, { method: 'POST', body: order, headers })
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
    return followStream(session, response.body, tell)
  }
  if (response.status === 200) return asResult.parse(await response.json())
  if (response.status === 202) return poll(session, response.headers.get('location') ?? '')
  const refusal = await refusalOf(response)
  if (refusal.problem.code === 'payment_in_progress' && refusal.problem.statusUrl !== undefined) {
    return poll(session, refusal.problem.statusUrl)
  }
  throw refusal
}

async function followStream(
  session: Session,
  body: ReadableStream<Uint8Array>,
  tell: (progress: Progress) => void,
): Promise<Result> {
  for await (const { event, data } of readEvents(body)) {
    const value: unknown = JSON.parse(data)
    if (event === 'settled') tell({ stage: 'settled', transaction: settledSchema.parse(value).transaction })
    else if (event === 'running') tell({ stage: 'running', log: runningSchema.parse(value).logs ?? '' })
    else if (event === 'token') tell({ stage: 'token', text: tokenSchema.parse(value).text })
    else if (event === 'stored') tell({ stage: 'stored' })
    else if (event === 'result') return asResult.parse(value)
    else if (event === 'pending') return poll(session, `${PATH}/${z.object({ id: z.string() }).parse(value).id}`)
    else if (event === 'error') throw new Refused(problemSchema.parse(value))
  }
  throw new Error('the connection was lost')
}

const POLL_MINUTES = 15

/** Asks for the status until there is an end. Throws `Refused` when the run failed or the payment was not made. */
async function poll(session: Session, statusUrl: string): Promise<Result> {
  const deadline = Date.now() + POLL_MINUTES * 60_000
  while (Date.now() < deadline) {
    const response = await session.call(statusUrl)
    if (!response.ok) throw await refusalOf(response)
    const body: unknown = await response.json()
    const { status, paymentState } = statusSchema.parse(body)
    if (status === 'succeeded') return asResult.parse(body)
    if (status === 'failed') {
      const isUnpaid = paymentState === 'unused'
      throw new Refused({ code: isUnpaid ? 'payment_rejected' : 'inference_failed', detail: JSON.stringify(body) })
    }
    const seconds = Number(response.headers.get('retry-after') ?? 2)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  }
  throw new Refused({ code: 'still_pending', detail: `no end after ${POLL_MINUTES} minutes; ask ${statusUrl} later` })
}
