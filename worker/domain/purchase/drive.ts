import { DatabaseUnavailable } from '../../../db/client.ts'
import type { Payment } from '../../../db/queries/payment-row.ts'
import { AppError } from '../../errors.ts'
import { describeError } from '../../lib/log.ts'
import { conclude } from './conclude.ts'
import type { Driver, StepResult } from './driver.ts'
import { whileHeldHere } from './held-here.ts'
import type { PurchaseAnswer } from './purchase-answer.ts'
import { checkUnpaid } from './recovery/check-unpaid.ts'
import { resolveSettlement } from './recovery/resolve-settlement.ts'
import { record } from './steps/record.ts'
import { run } from './steps/run.ts'
import { settle } from './steps/settle.ts'
import { storeOutput } from './steps/store-output.ts'
import { verify } from './steps/verify.ts'

/**
 * Drives a leased payment to an answer: the buyer's call, a status call, a webhook and the scheduled job all drive here.
 * Rejects only while nothing was sent to `/settle`.
 */
export async function drive(driver: Driver, payment: Payment): Promise<PurchaseAnswer> {
  let current = payment
  for (;;) {
    try {
      const next = await conclude(driver, await takeStep(driver, current))
      if ('answer' in next) return next.answer
      current = next.payment
    } catch (error) {
      return answerAfterFault(driver, current, error)
    }
  }
}

/** The next step of a purchase from its state in the journal. */
async function takeStep(driver: Driver, payment: Payment): Promise<StepResult> {
  switch (payment.state) {
    case 'claimed':
      if (driver.role === 'reconciler') return checkUnpaid(driver, payment)
      return driver.maySettle && driver.progress.settlement === 'taken_over'
        ? verifyAndSettle(driver, payment)
        : resolveSettlement(driver, payment)
    case 'settling':
    case 'unknown':
      return driver.progress.settlement === 'fresh_claim'
        ? verifyAndSettle(driver, payment)
        : resolveSettlement(driver, payment)
    case 'settled':
      return whileHeldHere(driver.deps, payment, () => deliver(driver, payment))
    case 'rejected':
      return checkUnpaid(driver, payment)
    // No lease is given for an ended row: it ended in another driver's hands.
    case 'done':
    case 'owed':
      return { kind: 'lost_lease', payment }
  }
}

/** The facilitator's two calls, in their order. */
async function verifyAndSettle(driver: Driver, payment: Payment): Promise<StepResult> {
  const verified = await verify(driver, payment)
  return verified.kind === 'verified' ? settle(driver, verified.payment) : verified
}

/** The result of a settled payment. */
async function deliver(driver: Driver, payment: Payment): Promise<StepResult> {
  const ran = await run(driver, payment)
  if (ran.kind !== 'finished') return ran
  const stored = await storeOutput(driver, ran.payment, ran.prediction)
  if (stored.kind !== 'finished') return stored
  return record(driver, ran.payment, stored.outcome)
}

/**
 * After an error the answer says what may have happened to the money by then. A settled payment is always `pending`: it is
 * tried again, and counted, so that an error which stays does not repeat for ever.
 */
async function answerAfterFault(driver: Driver, payment: Payment, error: unknown): Promise<PurchaseAnswer> {
  const unavailable = error instanceof DatabaseUnavailable
  const { settlement } = driver.progress
  const neverSent = settlement === 'fresh_claim' || (payment.state === 'claimed' && settlement !== 'sent')
  // Once its lease is over, another driver may have sent it.
  const unsent = neverSent && payment.leaseUntil !== null && driver.deps.now() < payment.leaseUntil
  if (unsent && !unavailable) throw error
  logFault(driver, payment, error)
  if (payment.state === 'settled') return unavailable ? { kind: 'pending', payment } : retryAfterFault(driver, payment)
  if (!unsent) return unknownAnswer(driver, payment)
  const problem = new AppError('database_unavailable', {
    detail: 'Nothing was charged; send the same payment again.',
    paymentState: 'unused',
    nextAction: 'retry_same_payment',
    retryAfterSeconds: 5,
  })
  return { kind: 'problem', error: problem }
}

async function retryAfterFault(driver: Driver, payment: Payment): Promise<PurchaseAnswer> {
  try {
    const next = await conclude(driver, { kind: 'retry', payment, reason: 'internal_error' })
    return 'answer' in next ? next.answer : { kind: 'pending', payment: next.payment }
  } catch (error) {
    logFault(driver, payment, error)
    return { kind: 'pending', payment }
  }
}

/** `/settle` may have been sent, so the buyer must not be asked to pay again. */
const unknownAnswer = ({ progress: { transaction } }: Driver, payment: Payment): PurchaseAnswer => ({
  kind: 'unknown',
  payment,
  ...(transaction === undefined ? {} : { transaction }),
})

function logFault({ deps }: Driver, payment: Payment, error: unknown): void {
  const event = error instanceof DatabaseUnavailable ? 'database.unavailable' : 'purchase.fault'
  deps.log.error(event, { inferenceId: payment.inferenceId, state: payment.state, cause: describeError(error) })
}
