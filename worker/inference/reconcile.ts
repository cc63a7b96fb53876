import { leaseDue, leaseOne } from '../../db/queries/payment-leases.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import type { RequestDeps } from '../context.ts'
import { describeError } from '../lib/log.ts'
import { drive } from './drive.ts'
import { after, type Driver, type PurchaseAnswer } from './driver.ts'
import { reconcileLeaseMs } from './leases.ts'

/** Work of one scheduled run: a batch at a time, until nothing is due or the time is up. */
const batchSize = 20
const atOnce = 5
const runForMs = 20_000

function reconciler(deps: RequestDeps, payment: Payment, token: string, hint?: string): Driver {
  return {
    deps,
    lease: { payment, token },
    role: 'reconciler',
    maySettle: false,
    paidLimit: null,
    arrivedAt: deps.now(),
    awaitsResult: false,
    emit: () => undefined,
    phase: 'unsent',
    markedSettled: false,
    ...(hint !== undefined && { hint }),
  }
}

/** One drive for a payment whose lease was just taken. Never throws: what it could not do, the next drive does. */
async function driveOne(
  deps: RequestDeps,
  payment: Payment,
  token: string,
  hint?: string,
): Promise<PurchaseAnswer | null> {
  try {
    return await drive(reconciler(deps, payment, token, hint), payment)
  } catch (error) {
    deps.log.error('reconcile.fault', { inferenceId: payment.inferenceId, cause: describeError(error) })
    return null
  }
}

/**
 * The scheduled job: finishes purchases that no call finished, a bounded share per run. One indexed statement when there is
 * nothing to do.
 */
export async function reconcile(deps: RequestDeps): Promise<void> {
  const stopAt = after(deps.now(), runForMs)
  for (;;) {
    const now = deps.now()
    const token = deps.newId()
    const due = await leaseDue(deps.database, { token, now, until: after(now, reconcileLeaseMs), limit: batchSize })
    const queue = [...due]
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await driveOne(deps, next, token)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    if (due.length > 0) deps.log.info('reconcile.run', { payments: due.length })
    if (due.length < batchSize || deps.now() >= stopAt) return
  }
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
  const now = deps.now()
  const token = deps.newId()
  const evenIfNotDue = hint !== undefined
  const until = after(now, reconcileLeaseMs)
  const payment = await leaseOne(deps.database, by, { token, now, until, untouchedSince, evenIfNotDue })
  return payment === null ? null : driveOne(deps, payment, token, hint)
}
