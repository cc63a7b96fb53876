import type { Database } from '../../db/client.ts'
import { stillness } from '../helpers/virtual-time.ts'
import { perform } from './actions.ts'
import { type SignedPayment, START } from './buyers.ts'
import { makeCallers } from './callers.ts'
import { makeEngine } from './engine.ts'
import { makeLedger } from './ledger.ts'
import { makeLiveChecks } from './live-checks.ts'
import type { Mutant } from './mutants.ts'
import { makeDatabaseOutages } from './outages.ts'
import type { Action, CallMode, Schedule } from './schedule.ts'
import { makeRuns } from './simulated-provider.ts'
import type { Objects } from './simulated-services.ts'
import { startWorker, type WorkerProcess } from './simulated-worker.ts'

interface SimulationOptions {
  database: Database
  signed: readonly SignedPayment[]
  schedule: Pick<Schedule, 'minConfirmations' | 'listLagMs' | 'payments'>
  mutant: Mutant
}

/** Everything one schedule needs: services, workers and callers. */
export function makeSimulation(options: SimulationOptions) {
  const services = makeServices(options, (owner) => workers.replace(owner))
  const { engine, ledger, checks, runs, objects, outages } = services
  const workers = makeWorkers(services, options)
  const payments = options.schedule.payments.map((index) => at(options.signed, index))
  const called = new Set<number>()

  const paymentOf = (index: number): SignedPayment => at(payments, index)
  const claimOf = (index: number) => checks.claimOf(paymentOf(index).authorization.nonce)
  const callers = makeCallers({ engine, checks, runs, paymentOf, claimOf, workerOf: workers.workerOf })

  function replacePayment(index: number, payment: SignedPayment): void {
    payments[index % payments.length] = payment
  }
  function call(index: number, mode: CallMode, worker: number): Promise<void> {
    const payment = index % payments.length
    called.add(payment)
    return callers.call(payment, mode, worker)
  }
  const actors = {
    engine,
    ledger,
    outages,
    wakeUps: services.wakeUps,
    ...workers,
    callers,
    paymentOf,
    replacePayment,
    call,
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
    /** True if its wallet refuses this payment in every block. */
    isRefused: (index: number): boolean => ledger.isRefused(paymentOf(index).authorization),
    call,
    workerOf: workers.workerOf,
    /** Plays one action, until everything it caused waits for a service. */
    async act(action: Action): Promise<void> {
      await perform(actors, action)
      await stillness()
    },
    /** Database and chain work again, and clocks are right. Faults that were not met yet are still to come. */
    heal(): void {
      outages.end()
      ledger.resume(true)
      ledger.catchUp()
    },
  }
}

export type Simulation = ReturnType<typeof makeSimulation>

/** The objects that outlive a worker process. `onDeath` receives each process that a fault ends. */
function makeServices({ schedule }: SimulationOptions, onDeath: (owner: number) => void) {
  const engine = makeEngine(START, onDeath)
  const ledger = makeLedger(engine.now)
  const objects: Objects = new Map()
  return {
    engine,
    ledger,
    checks: makeLiveChecks(engine, ledger),
    runs: makeRuns(engine.now, () => schedule.listLagMs),
    objects,
    wakeUps: [] as unknown[],
    outages: makeDatabaseOutages(engine),
  }
}

/** Two processes of the worker, of which each that ends is replaced. */
function makeWorkers(services: ReturnType<typeof makeServices>, { database, schedule, mutant }: SimulationOptions) {
  const { checks, outages } = services
  let ids = 0
  let owners = 0
  const surroundings = {
    ...services,
    database,
    mutant,
    minConfirmations: schedule.minConfirmations,
    newId: () => `00000000-0000-4000-8000-${(++ids).toString(16).padStart(12, '0')}`,
    isDatabaseDown: outages.isDatabaseDown,
    isReadOnly: outages.isReadOnly,
    onEffect: checks.onEffect,
    onAnswer: checks.onAnswer,
  }
  const start = (): WorkerProcess => startWorker(surroundings, ++owners)
  const workers = [start(), start()]
  return {
    workerOf: (index: number): WorkerProcess => at(workers, index),
    /** Starts a new process in the place of one that ended. */
    replace(owner: number): void {
      const index = workers.findIndex((worker) => worker.owner === owner)
      if (index >= 0) workers[index] = start()
    },
  }
}

/** The item at `index`, which wraps around. */
function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}
