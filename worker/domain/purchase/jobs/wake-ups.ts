import { readLeaseEnd } from '../../../../db/queries/payment-leases.ts'
import { describeError } from '../../../lib/log.ts'
import { type WakeUp, wakeUpSchema } from '../../../upstreams/queue/waker.ts'
import type { RequestDeps } from '../../deps.ts'
import { wakeAt } from '../move.ts'
import { driveIfStuck, inParallel, reconcile } from './reconcile.ts'

/** A message of the queue. */
export interface Message {
  readonly body: unknown
  ack(): void
  /** Has it delivered again, after the queue's `retry_delay`. */
  retry(): void
}

const messagesAtOnce = 5
/** The most that one message for "whatever is due" drives. More would exceed the calls that Workers allow one invocation. */
const mostPerMessage = 40
/**
 * Messages for "whatever is due" that the scheduled job sends when it left work behind. Each is followed by one more while work is
 * left, until the next run of the job sends its own: so their number does not grow with an outage.
 */
const sharesPerRun = 10
const shareLifeMs = 60_000

/**
 * Drives what these messages name, if it is due: as the scheduled job would, under a lease. A message that is late, repeated, forged or
 * unreadable changes nothing else. Without the database it is delivered again. Never throws.
 */
export async function answerWakeUps(deps: RequestDeps, messages: readonly Message[]): Promise<void> {
  await inParallel(messages, messagesAtOnce, async (message) => {
    const wakeUp = wakeUpSchema().safeParse(message.body)
    try {
      if (wakeUp.success) await answer(deps, wakeUp.data)
      message.ack()
    } catch (error) {
      deps.log.error('wake_up.failed', { cause: describeError(error) })
      message.retry()
    }
  })
}

function answer(deps: RequestDeps, wakeUp: WakeUp): Promise<void> {
  return 'dueUntil' in wakeUp ? driveShare(deps, wakeUp.dueUntil) : driveWoken(deps, wakeUp.inferenceId)
}

/** One purchase. While another driver has its lease, another wake-up comes when that ends, in case the driver dies. */
async function driveWoken(deps: RequestDeps, inferenceId: string): Promise<void> {
  const now = deps.now()
  if ((await driveIfStuck(deps, { inferenceId }, { untouchedSince: now })) !== null) return
  const heldUntil = await readLeaseEnd(deps.database, inferenceId, now)
  if (heldUntil !== null) wakeAt(deps, { inferenceId }, heldUntil)
}

/** One share, and another message while work is left: until the next run of the job, which sends its own. */
async function driveShare(deps: RequestDeps, dueUntil: number): Promise<void> {
  const { more } = await reconcile(deps, { most: mostPerMessage })
  if (more) sendShares(deps, dueUntil, 1)
}

function sendShares(deps: RequestDeps, dueUntil: number, count: number): void {
  const now = deps.now()
  if (now.getTime() < dueUntil) for (let share = 0; share < count; share += 1) wakeAt(deps, { dueUntil }, now)
}

/** The scheduled job. What it had no time for goes to other workers too, where wake-ups are sent. */
export async function runScheduledJob(deps: RequestDeps): Promise<void> {
  const { more } = await reconcile(deps)
  if (more) sendShares(deps, deps.now().getTime() + shareLifeMs, sharesPerRun)
}
