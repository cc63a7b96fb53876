import * as z from 'zod'
import type { Database } from '../../db/client.ts'
import { stillness } from '../helpers/virtual-time.ts'
import { ORIGIN, type SignedPayment, START } from './buyers.ts'
import { makeEngine } from './engine.ts'
import { withCause } from './faults.ts'
import { makeLedger } from './ledger.ts'
import type { Break } from './mutants.ts'
import { answerOf, type Client, type Heard, readAll } from './responses.ts'
import type { Action, Schedule } from './schedule.ts'
import { makeRuns } from './simulated-provider.ts'
import { type Surroundings, startWorker, type WorkerProcess, webhookRequest } from './simulated-worker.ts'

/** An answer to a paid call. */
export interface Answer extends Heard {
  payment: number
  /** Which call of this world it answers, and when that came. */
  caller: number
  calledAt: number
}

/** A claim as the database took it, whether the worker heard of it or not. */
export interface Claim {
  inferenceId: string
  at: Date
}

const claimRow = z.object({
  kind: z.literal('new'),
  p_nonce: z.string(),
  p_inference_id: z.string(),
  p_created_at: z.string(),
})

/** A whole world for one schedule: peers, workers, callers, and what became of them. */
export function makeWorld(options: {
  database: Database
  cast: SignedPayment[]
  schedule: Pick<Schedule, 'minConfirmations' | 'listLagMs' | 'payments'>
  sabotage: Break
}) {
  const { cast, schedule } = options
  const engine = makeEngine(START, replace)
  const ledger = makeLedger(engine.now)
  const runs = makeRuns(engine.now, () => schedule.listLagMs)
  const objects = new Map()
  const payments = schedule.payments.map((index) => {
    const payment = cast[index % cast.length]
    if (payment === undefined) throw new Error('an empty cast')
    return payment
  })
  const answers: Answer[] = []
  const claims = new Map<string, Claim>()
  const called = new Set<number>()
  const clients: Client[] = []
  let databaseDownUntil = 0
  let ids = 0

  const around: Surroundings = {
    engine,
    ledger,
    runs,
    objects,
    database: options.database,
    minConfirmations: schedule.minConfirmations,
    newId: () => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    isDatabaseDown: () => {
      const isDown = engine.now().getTime() < databaseDownUntil
      if (isDown) engine.hit('database', 'away for a while')
      return isDown
    },
    seen: (batches) => {
      const row = claimRow.safeParse(batches.at(-1)?.[0])
      if (!row.success) return
      const { p_nonce, p_inference_id, p_created_at } = row.data
      ledger.expect()
      claims.set(p_nonce.toLowerCase(), { inferenceId: p_inference_id, at: new Date(p_created_at) })
    },
    sabotage: options.sabotage.deps,
  }
  let owners = 0
  const start = (): WorkerProcess => startWorker(around, ++owners)
  const workers = [start(), start()]

  function replace(owner: number): void {
    const index = workers.findIndex((worker) => worker.owner === owner)
    if (index >= 0) workers[index] = start()
  }
  const workerOf = (index: number): WorkerProcess => {
    const worker = workers[index % workers.length]
    if (worker === undefined) throw new Error('no worker')
    return worker
  }
  const paymentOf = (index: number): SignedPayment => {
    const payment = payments[index % payments.length]
    if (payment === undefined) throw new Error('no payment')
    return payment
  }
  const claimOf = (index: number): Claim | undefined => claims.get(paymentOf(index).authorization.nonce.toLowerCase())

  /** Sends a payment; what comes back is kept in `answers`. */
  function call(index: number, mode: 'plain' | 'async' | 'stream', workerIndex: number): Promise<void> {
    const number = index % payments.length
    const payment = paymentOf(number)
    called.add(number)
    const extra = { plain: {}, async: { Prefer: 'respond-async' }, stream: { Accept: 'text/event-stream' } }[mode]
    const request = new Request(`${ORIGIN}/api/inference`, {
      method: 'POST',
      body: payment.body,
      headers: { ...payment.headers, ...extra },
    })
    const client: Client = { payment: number, hasLeft: false, leave: () => undefined }
    const caller = clients.push(client)
    return hear(client, caller, () => workerOf(workerIndex).fetch(request))
  }

  async function hear(client: Client, caller: number, send: () => Promise<Response>): Promise<void> {
    const calledAt = engine.moment()
    const response = await engine.asCaller(caller, send)
    const text = await readAll(client, response)
    if (client.hasLeft) return
    const answer = answerOf(response, text)
    if (answer === null) return engine.note(`caller of payment ${client.payment} saw the stream end early`)
    answers.push({ ...answer, payment: client.payment, caller, calledAt })
    engine.note(`caller of payment ${client.payment} got ${answer.status} ${answer.code ?? ''}`)
  }

  async function status(index: number, workerIndex: number): Promise<{ status: number; body: unknown } | null> {
    const claim = claimOf(index)
    if (claim === undefined) return null
    const { Cookie = '' } = paymentOf(index).headers
    const request = new Request(`${ORIGIN}/api/inference/${claim.inferenceId}`, { headers: { Cookie } })
    const response = await workerOf(workerIndex).fetch(request)
    return { status: response.status, body: await response.json() }
  }

  async function webhook(index: number, workerIndex: number): Promise<void> {
    const claim = claimOf(index)
    const run = runs.runs.find(({ request }) => claim !== undefined && request.webhookUrl.includes(claim.inferenceId))
    if (run === undefined) return
    await workerOf(workerIndex).fetch(webhookRequest(run.request.webhookUrl, run.id, engine.now()))
  }

  const quiet = (promise: Promise<unknown>): void => void promise.catch(() => undefined)

  async function act(action: Action): Promise<void> {
    switch (action.do) {
      case 'call':
        return quiet(call(action.payment, action.mode, action.worker))
      case 'fault':
        for (const { op, kind } of withCause(action.fault)) engine.arm(op, kind)
        return
      case 'advance':
        return engine.advance(action.ms)
      case 'kill':
        return kill(action.worker, action.reached)
      case 'reconcile':
        return quiet(workerOf(action.worker).reconcile())
      case 'minutes':
        return minutes(action.count, action.worker)
      case 'status':
        return quiet(status(action.payment, action.worker))
      case 'webhook':
        return quiet(webhook(action.payment, action.worker))
      case 'leave':
        return clients[action.client % Math.max(1, clients.length)]?.leave()
      case 'front-run':
        return void frontRun(action.payment)
      case 'cancel':
        if (ledger.cancel(paymentOf(action.payment).authorization)) engine.hit('chain', 'cancelled by the payer')
        return
      case 'stall':
        engine.hit('chain', 'stalls')
        return ledger.stall()
      case 'resume':
        if (action.late) engine.hit('chain', 'resumes with old times')
        return ledger.resume(action.late)
      case 'database away':
        databaseDownUntil = engine.now().getTime() + action.ms
    }
  }

  /** Time passes as it does in production: with the scheduled job each minute. */
  async function minutes(count: number, worker: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      await engine.advance(60_000)
      quiet(workerOf(worker).reconcile())
    }
  }

  function frontRun(index: number): void {
    const { authorization } = paymentOf(index)
    if (ledger.find({ payer: authorization.from, nonce: authorization.nonce }) !== undefined) return
    ledger.submit(authorization, { kind: 'somebody' }, 0)
    engine.hit('chain', 'front-run by somebody')
  }

  async function kill(index: number, reached: number): Promise<void> {
    const { owner } = workerOf(index)
    engine.note(`worker ${owner} is killed`)
    await engine.kill(owner, reached)
    replace(owner)
  }

  return {
    engine,
    ledger,
    runs,
    objects,
    payments,
    answers,
    claims,
    called,
    claimOf,
    call,
    status,
    kill,
    workerOf,
    /** Plays one action and lets what it set off come to its first peer calls. */
    async act(action: Action): Promise<void> {
      await act(action)
      await stillness()
    },
    /** Database and chain are back, clocks are right; faults still in store are met on the way. */
    heal(): void {
      databaseDownUntil = 0
      ledger.resume(true)
      ledger.catchUp()
    },
  }
}

export type World = ReturnType<typeof makeWorld>
