import type { SignedPayment } from './buyers.ts'
import type { makeCallers } from './callers.ts'
import type { Engine } from './engine.ts'
import { SITUATIONS, withCause } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { DatabaseOutages } from './outages.ts'
import type { Action, CallMode } from './schedule.ts'
import type { WorkerProcess } from './simulated-worker.ts'

/** The objects that the actions of a schedule change. */
export interface Actors {
  engine: Engine
  ledger: Ledger
  callers: ReturnType<typeof makeCallers>
  outages: DatabaseOutages
  wakeUps: unknown[]
  workerOf(index: number): WorkerProcess
  /** Starts a new process in the place of one that ended. */
  replace(owner: number): void
  paymentOf(index: number): SignedPayment
  replacePayment(index: number, payment: SignedPayment): void
  call(payment: number, mode: CallMode, worker: number): Promise<void>
}

/** Performs one action. What it starts may still run when this returns. */
export async function perform(actors: Actors, action: Action): Promise<void> {
  const { engine, ledger, callers, outages, workerOf, paymentOf, call } = actors
  switch (action.do) {
    case 'call':
      return ignore(call(action.payment, action.mode, action.worker))
    case 'followers':
      return follow(actors, action)
    case 'fault':
      for (const { op, kind } of withCause(action.fault)) engine.arm(op, kind)
      return
    case 'advance':
      return engine.advance(action.ms)
    case 'kill':
      return kill(actors, action)
    case 'reconcile':
      return ignore(workerOf(action.worker).reconcile())
    case 'wake up':
      return wakeUp(actors, action)
    case 'minutes':
      return minutes(actors, action)
    case 'status':
      return ignore(callers.status(action.payment, action.worker))
    case 'webhook':
      return ignore(callers.webhook(action.payment, action.worker))
    case 'leave':
      return callers.leave(action.client)
    case 'front-run':
      return frontRun(actors, action)
    case 'cancel':
      if (ledger.cancel(paymentOf(action.payment).authorization)) engine.hit(SITUATIONS.cancelled)
      return
    case 'contract wallet':
      return ledger.refuse(paymentOf(action.payment).authorization)
    case 'sign again':
      return signAgain(actors, action)
    case 'stall':
      engine.hit(SITUATIONS.stalled)
      return ledger.stall()
    case 'resume':
      if (action.late) engine.hit(SITUATIONS.oldTimes)
      return ledger.resume(action.late)
    case 'database away':
      return outages.start('away', action.ms)
    case 'database read-only':
      return outages.start('readOnly', action.ms)
  }
}

type Of<Name extends Action['do']> = Extract<Action, { do: Name }>

async function kill({ engine, workerOf, replace }: Actors, { worker, reached }: Of<'kill'>): Promise<void> {
  const { owner } = workerOf(worker)
  engine.note(`worker ${owner} is killed`)
  await engine.kill(owner, reached)
  replace(owner)
}

/** The scheduled job runs after each minute, as in production. */
async function minutes({ engine, workerOf }: Actors, { count, worker }: Of<'minutes'>): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await engine.advance(60_000)
    ignore(workerOf(worker).reconcile())
  }
}

/** Some messages of the queue arrive, whenever they were due: some twice, and one that no worker sent. */
function wakeUp({ engine, wakeUps, workerOf }: Actors, { worker, messages, twice, forged }: Of<'wake up'>): void {
  const delivered = wakeUps.splice(0, messages)
  if (delivered.length > 0) engine.hit(SITUATIONS.wokenUp)
  if (twice) delivered.push(...delivered)
  if (forged) {
    const unknown = { inferenceId: '00000000-0000-4000-8000-000000000000' }
    delivered.push(unknown, { dueUntil: engine.now().getTime() + 1 }, 'drive them all')
  }
  for (const body of delivered) ignore(workerOf(worker).wake(body))
}

function follow({ engine, call }: Actors, { payment, count, worker }: Of<'followers'>): void {
  engine.hit(SITUATIONS.followers)
  for (let follower = 0; follower < count; follower += 1) ignore(call(payment, 'stream', worker))
}

/** The buyer waits, and signs again for the same nonce and request. */
async function signAgain(actors: Actors, { payment, waitMs, validMs }: Of<'sign again'>): Promise<void> {
  const { engine, paymentOf, replacePayment } = actors
  await engine.advance(waitMs)
  const validBefore = new Date(engine.now().getTime() + validMs)
  replacePayment(payment, await paymentOf(payment).signAgain(validBefore))
}

function frontRun({ engine, ledger, paymentOf }: Actors, { payment }: Of<'front-run'>): void {
  const { authorization } = paymentOf(payment)
  if (ledger.find({ payer: authorization.from, nonce: authorization.nonce }) !== undefined) return
  ledger.submit(authorization, { kind: 'stranger' }, 0)
  engine.hit(SITUATIONS.frontRun)
}

const ignore = (promise: Promise<unknown>): void => void promise.catch(() => undefined)
