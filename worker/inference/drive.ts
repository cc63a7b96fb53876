import { DatabaseUnavailable } from '../../db/client.ts'
import type { Payment } from '../../db/queries/payment-row.ts'
import { AppError } from '../errors.ts'
import { describeError } from '../lib/log.ts'
import { type Driver, type PurchaseAnswer, rest, type Step } from './driver.ts'
import { decide, hasTime, lookOnceMore } from './recovery/resolve-settlement.ts'
import { retryLater } from './steps/retry.ts'
import { run } from './steps/run.ts'
import { settle } from './steps/settle.ts'
import { verify } from './steps/verify.ts'

/** The one function that moves a payment on, whoever drives: the buyer's call, a status call, a webhook, the scheduled job. */
export async function nextStep(driver: Driver, payment: Payment): Promise<Step> {
  switch (payment.state) {
    case 'claimed':
      if (!driver.buyer) return lookOnceMore(driver, payment)
      return (driver.fresh || hasTime(driver, payment)) && !driver.settleSent
        ? verify(driver, payment)
        : decide(driver, payment)
    case 'settling':
    case 'unknown':
      return driver.verified ? settle(driver, payment) : decide(driver, payment)
    case 'settled':
      return run(driver, payment)
    case 'rejected':
      return lookOnceMore(driver, payment)
    case 'done':
    case 'owed':
      return rest({ kind: 'in_progress', payment })
  }
}

type Paused = { kind: 'paused'; payment: Payment }

/**
 * Drives a leased payment until it rests, or until it reaches what `isPause` waits for.
 * A database that goes away is answered by what may have happened to the money by then.
 */
export async function driveUntil(
  driver: Driver,
  payment: Payment,
  isPause: (payment: Payment) => boolean,
): Promise<PurchaseAnswer | Paused> {
  let current = payment
  while (!isPause(current)) {
    try {
      const step = await nextStep(driver, current)
      if (step.kind === 'rest') return step.answer
      current = step.payment
    } catch (error) {
      const answer = await afterFault(driver, current, error)
      if (answer === null) throw error
      return answer
    }
  }
  return { kind: 'paused', payment: current }
}

/** Drives a leased payment until it rests. */
export async function drive(driver: Driver, payment: Payment): Promise<PurchaseAnswer> {
  const end = await driveUntil(driver, payment, () => false)
  return end.kind === 'paused' ? { kind: 'in_progress', payment: end.payment } : end
}

/** A fault after settlement is never the buyer's loss: it is tried again, and counted, so that it cannot go round for ever. */
async function afterFault(driver: Driver, payment: Payment, error: unknown): Promise<PurchaseAnswer | null> {
  const { log } = driver.deps
  const fields = { inferenceId: payment.inferenceId, state: payment.state, cause: describeError(error) }
  if (error instanceof DatabaseUnavailable) {
    log.error('database.unavailable', fields)
    return withoutDatabase(driver, payment)
  }
  if (error instanceof AppError || payment.state === 'claimed') return null
  log.error('purchase.fault', fields)
  if (payment.state !== 'settled') return unknownAnswer(driver, payment)
  const step = await retryLater(driver, payment, 'internal_error').catch((cause: unknown) => {
    if (cause instanceof DatabaseUnavailable) return rest({ kind: 'pending', payment })
    throw cause
  })
  return step.kind === 'rest' ? step.answer : null
}

/** `/settle` may have left: nobody may be told to pay again. */
const unknownAnswer = ({ transaction }: Driver, payment: Payment): PurchaseAnswer => ({
  kind: 'unknown',
  payment,
  ...(transaction === undefined ? {} : { transaction }),
})

function withoutDatabase(driver: Driver, payment: Payment): PurchaseAnswer {
  if (payment.state === 'settled') return { kind: 'pending', payment }
  if (payment.state !== 'claimed' || driver.settleSent) return unknownAnswer(driver, payment)
  const error = new AppError('database_unavailable', {
    detail: 'Nothing was charged; send the same payment again.',
    paymentState: 'unused',
    nextAction: 'retry_same_payment',
    retryAfterSeconds: 5,
  })
  return { kind: 'problem', error }
}
