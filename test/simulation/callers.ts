import { ORIGIN, type SignedPayment } from './buyers.ts'
import type { Engine } from './engine.ts'
import type { Claim, LiveChecks } from './live-checks.ts'
import { answerOf, type Client, type Received, readAll } from './responses.ts'
import type { CallMode } from './schedule.ts'
import type { Runs } from './simulated-provider.ts'
import { type WorkerProcess, webhookRequest } from './simulated-worker.ts'

/** An answer to a paid call. */
export interface Answer extends Received {
  payment: number
  /** The number of the call, and when it was made. */
  caller: number
  calledAt: number
}

const MODE_HEADERS = { plain: {}, async: { Prefer: 'respond-async' }, stream: { Accept: 'text/event-stream' } }

/** The buyers' programs, and the provider's webhook: all that calls the workers. */
export function makeCallers(options: {
  engine: Engine
  checks: LiveChecks
  runs: Runs
  paymentOf(index: number): SignedPayment
  claimOf(index: number): Claim | undefined
  workerOf(index: number): WorkerProcess
}) {
  const { engine, checks, runs, paymentOf, claimOf, workerOf } = options
  const answers: Answer[] = []
  const clients: Client[] = []

  /** Sends a payment. Its answer is kept in `answers`. */
  async function call(payment: number, mode: CallMode, worker: number): Promise<void> {
    const { body, headers, authorization } = paymentOf(payment)
    const init = { method: 'POST', body, headers: { ...headers, ...MODE_HEADERS[mode] } }
    const client: Client = { payment, hasLeft: false, leave: () => undefined }
    const caller = clients.push(client)
    const calledAt = engine.moment()
    checks.callStarts(caller, authorization)
    const response = await engine.asCaller(caller, () =>
      workerOf(worker).fetch(new Request(`${ORIGIN}/api/inference`, init)),
    )
    const text = await readAll(client, response)
    if (client.hasLeft) return
    const answer = answerOf(response, text)
    if (answer === null) return engine.note(`caller of payment ${payment} saw the stream end early`)
    answers.push({ ...answer, payment, caller, calledAt })
    checks.answered(caller, answer)
    engine.note(`caller of payment ${payment} got ${answer.status} ${answer.code ?? ''}`)
  }

  async function status(index: number, worker: number): Promise<void> {
    const claim = claimOf(index)
    if (claim === undefined) return
    const { Cookie = '' } = paymentOf(index).headers
    const request = new Request(`${ORIGIN}/api/inference/${claim.inferenceId}`, { headers: { Cookie } })
    await (await workerOf(worker).fetch(request)).text()
  }

  async function webhook(index: number, worker: number): Promise<void> {
    const claim = claimOf(index)
    const run = runs.runs.find(({ request }) => claim !== undefined && request.webhookUrl.includes(claim.inferenceId))
    if (run === undefined) return
    await workerOf(worker).fetch(webhookRequest(run.request.webhookUrl, run.id, engine.now()))
  }

  const leave = (client: number): void => clients[client % Math.max(1, clients.length)]?.leave()

  return { answers, call, status, webhook, leave }
}
