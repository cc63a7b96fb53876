import type { InferenceRecord } from '../../../../db/queries/inference-row.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import type { Problem } from '../../../errors.ts'
import type { RequestDeps } from '../../deps.ts'
import { answerAfterError, type Purchase, startPurchase } from '../purchase.ts'
import type { PurchaseAnswer, PurchaseEvent } from '../purchase-answer.ts'
import { recordAsPending } from '../steps/record.ts'
import type { PaidCall } from '../steps/validate-payment.ts'
import { type Follower, followForMs, followPurchase } from './follow.ts'
import { bareHash, paymentResponse, resultBody } from './present.ts'

/** One server-sent event: its name and its data as JSON. The record of a result is for other forms of the same event. */
export type StreamMessage =
  | { event: 'verified' | 'stored'; data: Record<string, never> }
  | { event: 'settled'; data: ReturnType<typeof settledData> }
  | { event: 'running'; data: { logs: string | null; seconds: number } }
  | { event: 'token'; data: { text: string } }
  | { event: 'result'; data: ReturnType<typeof resultBody>; record: InferenceRecord }
  | { event: 'pending' | 'error'; data: unknown }

/** An event of a purchase as the stream shows it. */
export function eventMessage(event: PurchaseEvent): StreamMessage {
  switch (event.event) {
    case 'settled':
      return { event: 'settled', data: settledData(event.payment) }
    case 'running':
      return { event: 'running', data: { logs: event.log, seconds: event.seconds } }
    case 'token':
      return { event: 'token', data: { text: event.text } }
    case 'verified':
    case 'stored':
      return { event: event.event, data: {} }
  }
}

function settledData(payment: Payment) {
  return {
    id: payment.inferenceId,
    transaction: bareHash(payment.txHash),
    network: `eip155:${payment.chainId}`,
    paymentResponse: paymentResponse(payment),
  }
}

/** The route's part: where messages go, and how problems are written. */
export interface StreamOutput {
  send(message: StreamMessage): void
  problemDocument(problem: Problem): unknown
  /** The problem that an answer is; null for results. */
  problemOf(answer: PurchaseAnswer): Promise<Problem | null>
  /** The 202 body, for a purchase that is not done yet. */
  pendingBody(payment: Payment): Promise<unknown>
  /** True if the client is gone. Its purchase continues; only following ends. */
  isGone(): boolean
}

/**
 * The stream of a purchase: every event, then one end. A purchase that another driver has is followed; once that driver is
 * gone this call takes it over. After an error a settled purchase ends as `pending`; before settlement the error is thrown.
 */
export async function streamPurchase(
  deps: RequestDeps,
  call: PaidCall,
  purchase: Purchase,
  output: StreamOutput,
): Promise<void> {
  const shown: { settled: Payment | null } = { settled: null }
  const emit = (event: PurchaseEvent): void => {
    // A takeover or the end may bring it again.
    if (event.event === 'settled' && shown.settled !== null) return
    if (event.event === 'settled') shown.settled = event.payment
    output.send(eventMessage(event))
  }
  try {
    output.send(
      await endMessage(deps, await followToEnd(deps, call, purchase, { emit, isGone: output.isGone }), emit, output),
    )
  } catch (error) {
    output.send(await endMessage(deps, answerAfterError(deps, shown.settled, error), emit, output))
  }
}

async function followToEnd(
  deps: RequestDeps,
  call: PaidCall,
  purchase: Purchase,
  follower: Follower,
): Promise<PurchaseAnswer> {
  let current = purchase
  for (;;) {
    current.watch(follower.emit)
    const answer = await Promise.race([current.ended, pendingAfter(deps, current)])
    const last =
      answer.kind === 'in_progress' ? await followPurchase(deps, answer.payment, follower, call.arrivedAt) : answer
    if (last !== null) return last
    current = startPurchase(deps, call, { awaitsResult: false })
  }
}

/** After 10 minutes the stream ends as `pending` and the purchase continues. Before settlement it waits for the end. */
async function pendingAfter(deps: RequestDeps, purchase: Purchase): Promise<PurchaseAnswer> {
  await deps.sleep(followForMs)
  const payment = purchase.settled()
  if (payment === null) return purchase.ended
  deps.waitUntil(purchase.ended)
  return { kind: 'pending', payment }
}

async function endMessage(
  deps: RequestDeps,
  answer: PurchaseAnswer,
  emit: (event: PurchaseEvent) => void,
  { problemDocument, problemOf, pendingBody }: StreamOutput,
): Promise<StreamMessage> {
  const problem = await problemOf(answer)
  if ('payment' in answer && answer.kind !== 'unproven' && answer.payment.txHash !== null) {
    emit({ event: 'settled', payment: answer.payment })
  }
  if (problem !== null) return { event: 'error', data: problemDocument(problem) }
  if (answer.kind === 'ended') {
    const { payment, record } = answer
    return { event: 'result', data: resultBody(payment, record), record }
  }
  if (answer.kind !== 'pending') throw new Error(`no message for ${answer.kind}`)
  await recordAsPending(deps, answer.payment)
  return { event: 'pending', data: await pendingBody(answer.payment) }
}
