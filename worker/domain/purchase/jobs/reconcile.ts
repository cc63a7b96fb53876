import { leaseDue, leaseOne } from '../../../../db/queries/payment-leases.ts'
import type { Payment } from '../../../../db/queries/payment-row.ts'
import { describeError } from '../../../lib/log.ts'
import type { RequestDeps } from '../../deps.ts'
import { drive } from '../drive.ts'
import { type Driver, startingFrom } from '../driver.ts'
import { isHeldHere } from '../held-here.ts'
import { reconcileLeaseMs, startHoldMs } from '../leases.ts'
import { after } from '../payment-facts.ts'
import type { PurchaseAnswer } from '../purchase-answer.ts'
import { makeRunSearch } from '../steps/find-prediction.ts'

/** Work of one run: a batch at a time, until nothing is due or the time is up. */
const batchSize = 50
const runForMs = 20_000

function reconciler(deps: RequestDeps, payment: Payment, token: string, arrivedAt: Date): Driver {
  return {
    deps,
    lease: { payment, token },
    role: 'reconciler',
    maySettle: false,
    paidLimit: null,
    arrivedAt,
    awaitsResult: false,
    emit: () => undefined,
    progress: startingFrom('taken_over'),
  }
}

/** One drive for a payment whose lease was just taken. Never throws: what it could not do, the next drive does. */
async function driveOne(driver: Driver, payment: Payment): Promise<PurchaseAnswer | null> {
  try {
    return await drive(driver, payment)
  } catch (error) {
    driver.deps.log.error('reconcile.fault', { inferenceId: payment.inferenceId, cause: describeError(error) })
    return null
  }
}

/** The share of the work that one run of the job does. */
export interface Share {
  /** Drives this many payments at most, or the next batch. */
  most?: number
  /** This many of them at once. */
  atOnce?: number
  /** Also tries purchases whose next try is not due, as long as such tries succeed. */
  tryEarly?: boolean
}

/**
 * The job: finishes purchases that no call finished, a bounded share per run; `more` when it left some behind. Several runs at once,
 * also of other processes, take different rows. One indexed statement when nothing is due, two with early tries.
 */
export async function reconcile(
  deps: RequestDeps,
  { most = Number.POSITIVE_INFINITY, atOnce = 5, tryEarly = true }: Share = {},
): Promise<{ more: boolean }> {
  const stopAt = after(deps.now(), runForMs)
  const run: Run = { deps, atOnce, left: most, hasTime: () => run.left > 0 && deps.now() < stopAt }
  for (;;) {
    const limit = Math.min(batchSize, run.left)
    const { taken } = await driveBatch(run, limit, false)
    if (taken < limit) break
    if (!run.hasTime()) return { more: true }
  }
  return { more: tryEarly && (await driveEarly(run)) }
}

interface Run {
  readonly deps: RequestDeps
  readonly atOnce: number
  /** How many payments it may still take. */
  left: number
  hasTime(): boolean
}

/**
 * Tries purchases that wait for a later try, before it is due: one first, then twice as many as long as they succeed. So what waits for
 * a provider or a store is finished soon after its return, and one that is still away receives one call more per run. Such a try is
 * not counted. Returns whether it was the time that ended it.
 */
async function driveEarly(run: Run): Promise<boolean> {
  for (let size = 1; ; ) {
    if (!run.hasTime()) return true
    const limit = Math.min(size, run.left)
    const { taken, failed } = await driveBatch(run, limit, true)
    if (taken < limit || failed === taken) return false
    if (failed === 0) size = Math.min(size * 2, batchSize)
  }
}

/** Calls `work` for each item, `atOnce` of them at a time, in order. Resolves when all have ended; rejects with the first error. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
}

/** Leases up to `limit` payments and drives them. One search of the provider's list, begun after their leases, serves them all. */
async function driveBatch(run: Run, limit: number, isEarly: boolean): Promise<{ taken: number; failed: number }> {
  const { deps } = run
  const now = deps.now()
  // A start whose answer was lost can be seen by then; until then no other driver may look for it.
  const untouchedSince = isEarly ? after(now, -startHoldMs) : undefined
  const options = { token: deps.newId(), now, until: after(now, reconcileLeaseMs), limit, untouchedSince }
  const payments = await leaseDue(deps.database, options)
  run.left -= payments.length
  const claims = payments.map(({ createdAt }) => createdAt.getTime())
  const search = makeRunSearch(deps.provider, new Date(Math.min(...claims)))
  let failed = 0
  await inParallel(payments, run.atOnce, async (payment) => {
    // Its lease is over: another run may have it.
    if (deps.now() >= options.until) return
    const early = isEarly && { early: { plannedAt: payment.nextAttemptAt ?? now } }
    const driver: Driver = { ...reconciler(deps, payment, options.token, now), search, ...early }
    await driveOne(driver, payment)
    if (driver.progress.failedEarly) failed += 1
  })
  if (payments.length > 0) deps.log.info('reconcile.run', { payments: payments.length })
  return { taken: payments.length, failed }
}

/**
 * Drives one payment that is due and was not touched since `untouchedSince`; null when there was nothing to take.
 * With a `hint`, the run that a webhook named, it need not be due.
 */
export async function driveIfStuck(
  deps: RequestDeps,
  by: { inferenceId: string } | { predictionId: string },
  { untouchedSince, hint }: { untouchedSince: Date; hint?: string },
): Promise<PurchaseAnswer | null> {
  if ('inferenceId' in by && isHeldHere(deps, by.inferenceId)) return null
  const now = deps.now()
  const token = deps.newId()
  const evenIfNotDue = hint !== undefined
  const until = after(now, reconcileLeaseMs)
  const payment = await leaseOne(deps.database, by, { token, now, until, untouchedSince, evenIfNotDue })
  if (payment === null) return null
  return driveOne({ ...reconciler(deps, payment, token, now), ...(evenIfNotDue && { hint }) }, payment)
}
