import type { RequestDeps } from '../../context.ts'
import type { Problem } from '../../errors.ts'
import type { PurchaseAnswer, PurchaseEvent } from '../driver.ts'
import { type Purchase, startPurchase } from '../purchase.ts'
import { recordAsPending } from '../steps/record.ts'
import type { PaidCall } from '../steps/validate-payment.ts'
import { follow, followForMs } from './follow.ts'
import { bareHash, paymentResponse, pendingBody, problemOf, resultBody } from './present.ts'

/** One server-sent event: its name and its data as JSON. */
export interface StreamMessage {
  event: string
  data: unknown
}

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

function settledData(payment: Parameters<typeof paymentResponse>[0]) {
  return {
    id: payment.inferenceId,
    transaction: bareHash(payment.txHash),
    network: `eip155:${payment.chainId}`,
    paymentResponse: paymentResponse(payment),
  }
}

/**
 * The stream of a purchase: every event, then one end. A purchase that another driver has is followed; when that driver is
 * gone this call takes it over. `unpaid` makes the problem of a payment that turned out not to be made.
 */
export async function streamPurchase(
  deps: RequestDeps,
  call: PaidCall,
  purchase: Purchase,
  send: (message: StreamMessage) => void,
  problemDocument: (problem: Problem) => unknown,
  unpaid: (answer: PurchaseAnswer & { kind: 'rejected' }) => Promise<Problem>,
): Promise<void> {
  const emit = onceSettled(send)
  let current = purchase
  for (;;) {
    current.watch(emit)
    const answer = await Promise.race([current.ended, pendingAfter(deps, current)])
    const last = answer.kind === 'in_progress' ? await follow(deps, answer.payment, emit, call.arrivedAt) : answer
    if (last !== null) return send(await endMessage(deps, last, emit, problemDocument, unpaid))
    current = await startPurchase(deps, call)
  }
}

/** After 10 minutes the stream says `pending`; the purchase goes on. Never before settlement, which its own deadlines bound. */
async function pendingAfter(deps: RequestDeps, purchase: Purchase): Promise<PurchaseAnswer> {
  let settled: PurchaseAnswer | null = null
  purchase.watch((event) => {
    if (event.event === 'settled') settled = { kind: 'pending', payment: event.payment }
  })
  await deps.sleep(followForMs)
  if (settled !== null) deps.waitUntil(purchase.ended)
  return settled ?? purchase.ended
}

async function endMessage(
  deps: RequestDeps,
  answer: PurchaseAnswer,
  emit: (event: PurchaseEvent) => void,
  problemDocument: (problem: Problem) => unknown,
  unpaid: (answer: PurchaseAnswer & { kind: 'rejected' }) => Promise<Problem>,
): Promise<StreamMessage> {
  if (answer.kind === 'rejected') return { event: 'error', data: problemDocument(await unpaid(answer)) }
  const problem = problemOf(answer)
  if ('payment' in answer && answer.payment.txHash !== null) emit({ event: 'settled', payment: answer.payment })
  if (problem !== null) return { event: 'error', data: problemDocument(problem) }
  if (answer.kind === 'ended') return { event: 'result', data: resultBody(answer.payment, answer.record) }
  if (answer.kind !== 'pending') throw new Error(`no message for ${answer.kind}`)
  await recordAsPending({ deps }, answer.payment)
  return { event: 'pending', data: pendingBody(answer.payment) }
}

/** Sends events on, `settled` once: a takeover or the end may bring it again. */
function onceSettled(send: (message: StreamMessage) => void): (event: PurchaseEvent) => void {
  let settled = false
  return (event) => {
    if (event.event === 'settled' && settled) return
    settled ||= event.event === 'settled'
    send(eventMessage(event))
  }
}
