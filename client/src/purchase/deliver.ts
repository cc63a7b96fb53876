import { CoinslotError, ConnectionError, ProblemError, SignedOutError, UnfinishedError } from '../errors.ts'
import { parseJson } from '../json-fields.ts'
import { backoffMs } from '../retry.ts'
import { textOf } from '../session/transport.ts'
import type { PendingPayment } from '../store.ts'
import type { PurchaseContext, PurchaseOptions } from './context.ts'
import { type DeliveryProgress, makeDeliveryProgress } from './delivery-progress.ts'
import type { RunEvent } from './events.ts'
import { isProxys, nextStep, type Step } from './policy.ts'
import { type Outcome, outcomeOf } from './result.ts'
import { INFERENCE_PATH, sendPayment } from './send.ts'

/** The end of a delivery: the result, or a problem that sending the same payment again does not change. */
export type End = Extract<Outcome, { kind: 'result' | 'problem' }>

const MAX_SIGN_INS = 3

/**
 * Sends one payment, as often as it takes, and looks at its record, until there is an end. Throws `UnfinishedError` when there
 * is none after the call's tries or time.
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
    const met = yield* attempt(context, options, payment, progress, record)
    if (met.kind === 'result') return met
    if (met.kind === 'pending') {
      if (await progress.notePending(met.id)) yield { event: 'pending', id: met.id }
      if (Date.now() >= deadline) throw new UnfinishedError(payment.id, met.id, 'the service is still at it')
      record = `${INFERENCE_PATH}/${met.id}`
      await options.retrier.sleep(met.waitSeconds * 1_000)
      continue
    }
    if (met.kind === 'problem') {
      const step = stepAt(met, options, record)
      if (step === 'stop' || step === 'sign_new') return assertWord(met, payment)
      if (step === 'sign_in' || step === 'refresh_csrf') {
        signIns += 1
        await renew(context, payment, step, signIns > MAX_SIGN_INS, new ProblemError(met.problem))
      }
      record = step === 'poll' ? met.problem.statusUrl : undefined
    }
    yield* pause(options, payment, progress.countFailure(), met, deadline)
  }
}

interface Lost {
  kind: 'lost'
  error: ConnectionError
}
type Trouble = Lost | Extract<Outcome, { kind: 'problem' }>

/** One sending, or one look at the record. */
async function* attempt(
  context: PurchaseContext,
  options: PurchaseOptions,
  payment: PendingPayment,
  progress: DeliveryProgress,
  record: string | undefined,
): AsyncGenerator<RunEvent, Outcome | Lost, undefined> {
  try {
    if (record !== undefined) return await look(context, options, record)
    return yield* progress.track(sendPayment(context, options, payment, progress.toRunEvent))
  } catch (error) {
    if (error instanceof ConnectionError) return { kind: 'lost', error }
    throw error
  }
}

async function look({ transport }: PurchaseContext, { signal }: PurchaseOptions, url: string): Promise<Outcome> {
  const response = await transport.call(url, { signal })
  return outcomeOf(parseJson(await textOf(response)), response.status, response.headers.get('retry-after'))
}

/** A record that is not shown to us is no word on the payment: the payment itself asks better. */
function stepAt(
  { problem }: { problem: ProblemError['problem'] },
  options: PurchaseOptions,
  record: string | undefined,
): Step {
  if (record !== undefined && problem.code === 'inference_not_found') return 'send_again'
  return nextStep(problem, options.allowNewPayment)
}

/** What a proxy says in its own words (no problem document) ends no payment that may be under way. */
function assertWord(end: Extract<End, { kind: 'problem' }>, payment: PendingPayment): End {
  if (!isProxys(end.problem)) return end
  throw new UnfinishedError(payment.id, payment.inferenceId, new ProblemError(end.problem))
}

/** With a signed payment in hand, a sign-in that fails is no last word on it. Throws `UnfinishedError` then. */
export async function ensureSignedIn(payment: PendingPayment, signIn: () => Promise<unknown>): Promise<void> {
  try {
    await signIn()
  } catch (error) {
    if (!(error instanceof CoinslotError)) throw error
    throw new UnfinishedError(payment.id, payment.inferenceId, error)
  }
}

/** Gets a session, or a token, that holds. Throws `SignedOutError` where only the caller signs in. */
async function renew(
  context: PurchaseContext,
  payment: PendingPayment,
  step: 'sign_in' | 'refresh_csrf',
  isEnough: boolean,
  refusal: ProblemError,
): Promise<void> {
  // A token that cannot be had now is asked for again: the next call says that it is missing.
  const renewToken = (): Promise<unknown> => context.renewToken().catch(() => undefined)
  const way = step === 'sign_in' ? context.signIn : renewToken
  if (way === undefined) throw new SignedOutError(payment.id, payment.inferenceId, refusal)
  await ensureSignedIn(payment, isEnough ? () => Promise.reject(refusal) : way)
}

/** Tells and waits, or gives up. */
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
