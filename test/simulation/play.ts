import { sql } from 'drizzle-orm'
import type { TestDatabase } from '../helpers/in-process-database.ts'
import type { SignedPayment } from './buyers.ts'
import { checkInvariants, Violation } from './invariants.ts'
import type { Mutant } from './mutants.ts'
import type { Schedule } from './schedule.ts'
import { makeSimulation, type Simulation } from './simulation.ts'

export interface Played {
  violation: string | null
  trace: string[]
  hits: Map<string, number>
}

const MAX_ROUNDS = 80
const DAY_MS = 24 * 3_600_000

/** Plays a schedule, lets everything work again, has every caller come back, and checks what is left. */
export async function play(
  db: TestDatabase,
  signed: readonly SignedPayment[],
  schedule: Schedule,
  mutant: Mutant,
): Promise<Played> {
  await db.reset()
  const simulation = makeSimulation({ database: db.database, signed, schedule: { ...schedule }, mutant })
  const { engine } = simulation
  try {
    for (const { action, serviceCalls, pick } of schedule.steps) {
      await simulation.act(action)
      for (let calls = 0; calls < serviceCalls && (await engine.releaseOne(pick)); calls += 1);
    }
    await finish(simulation, db)
    await checkInvariants(simulation, db.database)
    await purge(simulation, db)
    return { violation: null, trace: engine.trace, hits: engine.hits }
  } catch (error) {
    const violation = error instanceof Violation ? error.message : `the simulation itself failed: ${String(error)}`
    return { violation, trace: engine.trace, hits: engine.hits }
  }
}

/** Lets everything work again, runs the scheduled job until nothing is due, then sends each payment once more. */
async function finish(simulation: Simulation, db: TestDatabase): Promise<void> {
  const { engine } = simulation
  engine.note('— everything works again —')
  simulation.heal()
  await engine.advance(60_000)
  await rest(simulation, db)
  engine.disarm()
  engine.note('— every caller comes back —')
  await callAll(simulation, simulation.called)
  const refused = [...simulation.called].filter(simulation.isRefused)
  if (refused.length === 0) return
  // Their transfers reverted once more, which is final when the authorization has expired.
  await rest(simulation, db)
  await callAll(simulation, refused)
}

async function callAll(simulation: Simulation, payments: Iterable<number>): Promise<void> {
  for (const payment of payments) await ended(simulation, simulation.call(payment, 'plain', 0))
}

/** Runs the scheduled job until nothing is due. */
async function rest(simulation: Simulation, db: TestDatabase): Promise<void> {
  const { engine } = simulation
  for (let round = 0; ; round += 1) {
    const dueAt = await nextLook(db)
    if (dueAt === null) return
    if (round === MAX_ROUNDS) throw new Violation('a payment never came to rest')
    await engine.advance(Math.max(60_000, dueAt.getTime() - engine.now().getTime()))
    await reconcile(simulation, round < MAX_ROUNDS / 2)
  }
}

/** When the next row is due that does more than wait for its purge. */
async function nextLook(db: TestDatabase): Promise<Date | null> {
  const [row] = await db.database.run(sql`select min(next_attempt_at) as due from payments
    where not (state in ('claimed', 'rejected') and chain_checked_at is not null)`)
  const due = row?.['due']
  return typeof due === 'string' ? new Date(due) : null
}

/** One run of the scheduled job; with `mayDie` its worker may die in it. */
async function reconcile(simulation: Simulation, mayDie = false): Promise<void> {
  const running = simulation.workerOf(0).reconcile()
  if (!mayDie) return ended(simulation, running)
  running.catch(() => undefined)
  await simulation.engine.advance(30_000)
}

async function ended(simulation: Simulation, work: Promise<void>): Promise<void> {
  if (!(await simulation.engine.finish(work))) throw new Violation('a call never ended')
  await work
}

/** A day later only what was paid is left. */
async function purge(simulation: Simulation, db: TestDatabase): Promise<void> {
  await simulation.engine.advance(DAY_MS)
  await reconcile(simulation)
  const [row] = await db.database.run(sql`select count(*)::int as left_over from payments
    where state not in ('done', 'owed')`)
  if (row?.['left_over'] !== 0) throw new Violation('an unpaid payment was not purged after a day')
}
