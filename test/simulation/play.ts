import { sql } from 'drizzle-orm'
import type { InProcessDatabase } from '../helpers/in-process-database.ts'
import type { SignedPayment } from './buyers.ts'
import { judgeWorld, Violation } from './invariants.ts'
import type { Break } from './mutants.ts'
import type { Schedule } from './schedule.ts'
import { makeWorld, type World } from './simulation.ts'

export interface Played {
  violation: string | null
  trace: string[]
  hits: Map<string, number>
}

const MAX_ROUNDS = 80
const DAY_MS = 24 * 3_600_000

/** Plays a schedule in a world of its own, heals the world, lets everybody come back, and judges. */
export async function play(
  db: InProcessDatabase,
  cast: SignedPayment[],
  schedule: Schedule,
  sabotage: Break,
): Promise<Played> {
  await db.reset()
  const world = makeWorld({ database: db.database, cast, schedule: { ...schedule }, sabotage })
  const { engine } = world
  try {
    for (const { action, peerCalls, pick } of schedule.steps) {
      await world.act(action)
      for (let calls = 0; calls < peerCalls && (await engine.releaseOne(pick)); calls += 1);
    }
    await finish(world, db)
    await judgeWorld(world, db.database)
    await purge(world, db)
    return { violation: null, trace: engine.trace, hits: engine.hits }
  } catch (error) {
    const violation = error instanceof Violation ? error.message : `the world broke: ${String(error)}`
    return { violation, trace: engine.trace, hits: engine.hits }
  }
}

/** Heals the world, runs the scheduled job until nothing is due, then lets everybody come back with the same payment. */
async function finish(world: World, db: InProcessDatabase): Promise<void> {
  const { engine } = world
  engine.note('— the world is well again —')
  world.heal()
  await engine.advance(60_000)
  for (let round = 0; ; round += 1) {
    const dueAt = await nextLook(db)
    if (dueAt === null) break
    if (round === MAX_ROUNDS) throw new Violation('a payment never came to rest')
    await engine.advance(Math.max(60_000, dueAt.getTime() - engine.now().getTime()))
    await reconcile(world, round < MAX_ROUNDS / 2)
  }
  engine.disarm()
  engine.note('— everybody comes back —')
  for (const payment of world.called) {
    await ended(world, world.call(payment, 'plain', 0))
  }
}

/** When the next row has to be looked at that is not only waiting for its purge. */
async function nextLook(db: InProcessDatabase): Promise<Date | null> {
  const [row] = await db.database.run(sql`select min(next_attempt_at) as due from payments
    where not (state in ('claimed', 'rejected') and chain_checked_at is not null)`)
  const due = row?.['due']
  return typeof due === 'string' ? new Date(due) : null
}

/** One run of the scheduled job; with `mayDie` its worker may die in it. */
async function reconcile(world: World, mayDie = false): Promise<void> {
  const running = world.workerOf(0).reconcile()
  if (!mayDie) return ended(world, running)
  running.catch(() => undefined)
  await world.engine.advance(30_000)
}

async function ended(world: World, work: Promise<void>): Promise<void> {
  if (!(await world.engine.finish(work))) throw new Violation('a call never ended')
  await work
}

/** A day later only what was paid is left. */
async function purge(world: World, db: InProcessDatabase): Promise<void> {
  await world.engine.advance(DAY_MS)
  await reconcile(world)
  const [row] = await db.database.run(sql`select count(*)::int as left_over from payments
    where state not in ('done', 'owed')`)
  if (row?.['left_over'] !== 0) throw new Violation('an unpaid payment was not purged after a day')
}
