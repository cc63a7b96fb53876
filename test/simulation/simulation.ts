import type { Database } from '../../db/client.ts'
import { stillness } from '../helpers/virtual-time.ts'
import { type SignedPayment, START } from './buyers.ts'
import { makeCallers } from './callers.ts'
import { makeEngine } from './engine.ts'
import { SITUATIONS, withCause } from './faults.ts'
import { makeLedger } from './ledger.ts'
import { makeLiveChecks } from './live-checks.ts'
import type { Mutant } from './mutants.ts'
import type { Action, CallMode, Schedule } from './schedule.ts'
import { makeRuns } from './simulated-provider.ts'
import { type Surroundings, startWorker, type WorkerProcess } from './simulated-worker.ts'

/** Everything one schedule needs: services, workers and callers. */
export function makeSimulation(options: {
  database: Database
  signed: readonly SignedPayment[]
  schedule: Pick<Schedule, 'minConfirmations' | 'listLagMs' | 'payments'>
  mutant: Mutant
}) {
  const { database, signed, schedule, mutant } = options
  const engine = makeEngine(START, replace)
  const ledger = makeLedger(engine.now)
  const checks = makeLiveChecks(engine, ledger)
  const runs = makeRuns(engine.now, () => schedule.listLagMs)
  const objects = new Map()
  const payments = schedule.payments.map((index) => at(signed, index))
  const called = new Set<number>()
  const until = { databaseDown: 0, readOnly: 0 }
  let ids = 0

  function isUntil(period: keyof typeof until, situation: string): boolean {
    const holds = engine.now().getTime() < until[period]
    if (holds) engine.hit(situation)
    return holds
  }
  const around: Surroundings = {
    engine,
    ledger,
    checks,
    runs,
    objects,
    database,
    minConfirmations: schedule.minConfirmations,
    newId: () => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    isDatabaseDown: () => isUntil('databaseDown', SITUATIONS.databaseAway),
    isReadOnly: () => isUntil('readOnly', SITUATIONS.readOnly),
    onEffect: checks.onEffect,
    onAnswer: checks.onAnswer,
    mutant,
  }
  let owners = 0
  const start = (): WorkerProcess => startWorker(around, ++owners)
  const workers = [start(), start()]

  function replace(owner: number): void {
    const index = workers.findIndex((worker) => worker.owner === owner)
    if (index >= 0) workers[index] = start()
  }
  const workerOf = (index: number): WorkerProcess => at(workers, index)
  const paymentOf = (index: number): SignedPayment => at(payments, index)
  const claimOf = (index: number) => checks.claimOf(paymentOf(index).authorization.nonce)
  const callers = makeCallers({ engine, checks, runs, paymentOf, claimOf, workerOf })

  function call(index: number, mode: CallMode, worker: number): Promise<void> {
    const payment = index % payments.length
    called.add(payment)
    return callers.call(payment, mode, worker)
  }

  async function kill(index: number, reached: number): Promise<void> {
    const { owner } = workerOf(index)
    engine.note(`worker ${owner} is killed`)
    await engine.kill(owner, reached)
    replace(owner)
  }

  /** The scheduled job runs after each minute, as in production. */
  async function minutes(count: number, worker: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      await engine.advance(60_000)
      quiet(workerOf(worker).reconcile())
    }
  }

  function follow(index: number, count: number, worker: number): void {
    engine.hit(SITUATIONS.followers)
    for (let follower = 0; follower < count; follower += 1) quiet(call(index, 'stream', worker))
  }

  /** The buyer waits, and signs again for the same nonce and request. */
  async function signAgain(index: number, waitMs: number, validMs: number): Promise<void> {
    await engine.advance(waitMs)
    const payment = await paymentOf(index).signAgain(new Date(engine.now().getTime() + validMs))
    payments[index % payments.length] = payment
  }

  function frontRun(index: number): void {
    const { authorization } = paymentOf(index)
    if (ledger.find({ payer: authorization.from, nonce: authorization.nonce }) !== undefined) return
    ledger.submit(authorization, { kind: 'stranger' }, 0)
    engine.hit(SITUATIONS.frontRun)
  }

  async function act(action: Action): Promise<void> {
    switch (action.do) {
      case 'call':
        return quiet(call(action.payment, action.mode, action.worker))
      case 'followers':
        return follow(action.payment, action.count, action.worker)
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
        return quiet(callers.status(action.payment, action.worker))
      case 'webhook':
        return quiet(callers.webhook(action.payment, action.worker))
      case 'leave':
        return callers.leave(action.client)
      case 'front-run':
        return frontRun(action.payment)
      case 'cancel':
        if (ledger.cancel(paymentOf(action.payment).authorization)) engine.hit(SITUATIONS.cancelled)
        return
      case 'contract wallet':
        return ledger.refuse(paymentOf(action.payment).authorization)
      case 'sign again':
        return signAgain(action.payment, action.waitMs, action.validMs)
      case 'stall':
        engine.hit(SITUATIONS.stalled)
        return ledger.stall()
      case 'resume':
        if (action.late) engine.hit(SITUATIONS.oldTimes)
        return ledger.resume(action.late)
      case 'database away':
        until.databaseDown = engine.now().getTime() + action.ms
        return
      case 'database read-only':
        until.readOnly = engine.now().getTime() + action.ms
    }
  }

  return {
    engine,
    ledger,
    checks,
    runs,
    objects,
    payments,
    answers: callers.answers,
    called,
    claimOf,
    /** Whether its wallet refuses this payment in every block. */
    isRefused: (index: number): boolean => ledger.isRefused(paymentOf(index).authorization),
    call,
    workerOf,
    /** Plays one action, until everything it caused waits for a service. */
    async act(action: Action): Promise<void> {
      await act(action)
      await stillness()
    },
    /** Database and chain work again, and clocks are right. Faults that were not met yet are still to come. */
    heal(): void {
      until.databaseDown = 0
      until.readOnly = 0
      ledger.resume(true)
      ledger.catchUp()
    },
  }
}

export type Simulation = ReturnType<typeof makeSimulation>

const quiet = (promise: Promise<unknown>): void => void promise.catch(() => undefined)

/** The item at `index`, which wraps around. */
function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}
