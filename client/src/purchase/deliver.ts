import { CoinslotError, ConnectionError, ProblemError, SignedOutError, UnfinishedError } from '../errors.ts'
import { parseJson } from '../json-fields.ts'
import { backoffMs } from '../retry.ts'
import { textOf } from '../session/transport.ts'
import type { PendingPayment } from '../store.ts'
import type { PurchaseContext, PurchaseOptions } from './context.ts'
import { type DeliveryProgress, makeDeliveryProgress } from './delivery-progress.ts'
import type { RunEvent } from './events.ts'
import { isFromProxy, nextStep, type Step } from './policy.ts'
import { type Outcome, outcomeOf } from './result.ts'
import { INFERENCE_PATH, sendPayment } from './send.ts'

/** The end of a delivery: the result, or a problem that does not change when the same payment is sent again. */
export type End = Extract<Outcome, { kind: 'result' | 'problem' }>

const MAX_SIGN_INS = 3

/**
 * Sends one payment, as often as needed, and polls its record until there is an end. Throws `UnfinishedError` when the tries or the
 * time run out.
 */
export async function* deliver(
  context: PurchaseContext,
  options: PurchaseOptions,
  payment: PendingPayment,
): AsyncGenerator<RunEvent, End, undefined> {
  const progress = makeDeliveryProgress(context.store, payment)
  const deadline = Date.now() + options.timeoutMs
  let record: string | undefined
  let signIns = 0
  for (;;) {
    const outcome = yield* attempt(context, options, payment, progress, record)
    if (outcome.kind === 'result') return outcome
    if (outcome.kind === 'pending') {
      if (await progress.notePending(outcome.id)) yield { event: 'pending', id: outcome.id }
      if (Date.now() >= deadline)
        throw new UnfinishedError(payment.id, outcome.id, 'the service is still working on it')
      record = `${INFERENCE_PATH}/${outcome.id}`
      await options.retrier.sleep(outcome.waitSeconds * 1_000)
      continue
    }
    if (outcome.kind === 'problem') {
      const step = stepAt(outcome, options, record)
      if (step === 'stop' || step === 'sign_new') return assertFromService(outcome, payment)
      if (step === 'sign_in' || step === 'refresh_csrf') {
        signIns += 1
        await renew(context, payment, step, signIns > MAX_SIGN_INS, new ProblemError(outcome.problem))
      }
      record = step === 'poll' ? outcome.problem.statusUrl : undefined
    }
    yield* pause(options, payment, progress.countFailure(), outcome, deadline)
  }
}

interface Lost {
  kind: 'lost'
  error: ConnectionError
}
type Trouble = Lost | Extract<Outcome, { kind: 'problem' }>

/** Sends the payment once, or reads its record once. */
async function* attempt(
  context: PurchaseContext,
  options: PurchaseOptions,
  payment: PendingPayment,
  progress: DeliveryProgress,
  record: string | undefined,
): AsyncGenerator<RunEvent, Outcome | Lost, undefined> {
  try {
    if (record !== undefined) return await readRecord(context, options, record)
    return yield* progress.track(sendPayment(context, options, payment, progress.toRunEvent))
  } catch (error) {
    if (error instanceof ConnectionError) return { kind: 'lost', error }
    throw error
  }
}

async function readRecord({ transport }: PurchaseContext, { signal }: PurchaseOptions, url: string): Promise<Outcome> {
  const response = await transport.call(url, { signal })
  return outcomeOf(parseJson(await textOf(response)), response.status, response.headers.get('retry-after'))
}

/** A 404 for the record says nothing about the payment, so resend the payment. */
function stepAt(
  { problem }: { problem: ProblemError['problem'] },
  options: PurchaseOptions,
  record: string | undefined,
): Step {
  if (record !== undefined && problem.code === 'inference_not_found') return 'send_again'
  return nextStep(problem, options.allowNewPayment)
}

/** Throws `UnfinishedError` for the answer of a proxy (no problem document): the payment may still be running. */
function assertFromService(end: Extract<End, { kind: 'problem' }>, payment: PendingPayment): End {
  if (!isFromProxy(end.problem)) return end
  throw new UnfinishedError(payment.id, payment.inferenceId, new ProblemError(end.problem))
}

/** Signs in during a payment. A failure is an `UnfinishedError`, since it does not decide the payment. */
export async function ensureSignedIn(payment: PendingPayment, signIn: () => Promise<unknown>): Promise<void> {
  try {
    await signIn()
  } catch (error) {
    if (!(error instanceof CoinslotError)) throw error
    throw new UnfinishedError(payment.id, payment.inferenceId, error)
  }
}

/** Gets a new session or token. Throws `SignedOutError` where only the caller signs in. */
async function renew(
  context: PurchaseContext,
  payment: PendingPayment,
  step: 'sign_in' | 'refresh_csrf',
  isLimitReached: boolean,
  refusal: ProblemError,
): Promise<void> {
  // A failure here repeats: the next call is refused for its missing token.
  const renewToken = (): Promise<unknown> => context.renewToken().catch(() => undefined)
  const renewal = step === 'sign_in' ? context.signIn : renewToken
  if (renewal === undefined) throw new SignedOutError(payment.id, payment.inferenceId, refusal)
  await ensureSignedIn(payment, isLimitReached ? () => Promise.reject(refusal) : renewal)
}

/** Reports the failure and waits. Throws `UnfinishedError` when the tries or the time run out. */
async function* pause(
  { retrier }: PurchaseOptions,
  payment: PendingPayment,
  failures: number,
  trouble: Trouble,
  deadline: number,
): AsyncGenerator<RunEvent, void, undefined> {
  const error = trouble.kind === 'lost' ? trouble.error : new ProblemError(trouble.problem)
  if (failures >= retrier.tries || Date.now() >= deadline) {
    throw new UnfinishedError(payment.id, payment.inferenceId, error)
  }
  const problem = trouble.kind === 'lost' ? undefined : trouble.problem
  const waitMs = Math.round(backoffMs(failures, problem?.retryAfterSeconds, Math.random()))
  yield { event: 'again', why: error.message, waitMs, ...(problem !== undefined && { problem }) }
  await retrier.sleep(waitMs)
}
