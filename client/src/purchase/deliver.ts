import { ConnectionError, ProblemError, SignedOutError, UnfinishedError } from '../errors.ts'
import { parseJson } from '../json-fields.ts'
import { backoffMs } from '../retry.ts'
import type { SignInChallenge } from '../session/challenge.ts'
import { textOf } from '../session/transport.ts'
import type { PendingPayment } from '../store.ts'
import type { PurchaseContext, PurchaseOptions, Signed } from './context.ts'
import { type DeliveryProgress, makeDeliveryProgress } from './delivery-progress.ts'
import type { RunEvent } from './events.ts'
import { isFromProxy, nextStep, type Step } from './policy.ts'
import { type Outcome, outcomeOf } from './result.ts'
import { INFERENCE_PATH, sendPayment } from './send.ts'

/** The end of a delivery: the result, or a problem that does not change when the same payment is sent again. */
export type End = Extract<Outcome, { kind: 'result' | 'problem' }>

const MAX_PROOFS = 3

/**
 * Sends one payment, as often as needed, and polls its record until there is an end. Throws `UnfinishedError` when the tries or the
 * time run out.
 */
export async function* deliver(
  context: PurchaseContext,
  options: PurchaseOptions,
  { payment, challenge: first }: Signed,
): AsyncGenerator<RunEvent, End, undefined> {
  const progress = makeDeliveryProgress(context.store, payment)
  const deadline = Date.now() + options.timeoutMs
  let record: string | undefined
  let challenge = first
  let proofs = 0
  for (;;) {
    const outcome = yield* attempt(context, options, { payment, challenge }, progress, record)
    if (outcome.kind === 'result') return outcome
    if (outcome.kind === 'pending') {
      proofs = 0
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
      if (step === 'prove_again') {
        proofs += 1
        const renewed = await renewProof(context, payment, new ProblemError(outcome.problem), proofs > MAX_PROOFS)
        // After a record that could not be read, the payment is sent again with the proof that it had.
        challenge = renewed ?? (record === undefined ? undefined : challenge)
        // The same call again, at once, with the proof that it asked for.
        if (renewed !== undefined) continue
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
  signed: Signed,
  progress: DeliveryProgress,
  record: string | undefined,
): AsyncGenerator<RunEvent, Outcome | Lost, undefined> {
  try {
    if (record !== undefined) return await readRecord(context, options, signed, record)
    return yield* progress.track(sendPayment(context, options, signed, progress.toRunEvent))
  } catch (error) {
    if (error instanceof ConnectionError) return { kind: 'lost', error }
    throw error
  }
}

async function readRecord(
  { transport, proof }: PurchaseContext,
  { signal }: PurchaseOptions,
  { challenge }: Signed,
  url: string,
): Promise<Outcome> {
  const { pathname } = new URL(url, transport.origin)
  const response = await transport.call(url, { headers: await proof.headers(pathname, challenge), signal })
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

/** Prepares another proof. Throws `SignedOutError` where only the caller signs in, `UnfinishedError` when there were too many. */
async function renewProof(
  { proof }: PurchaseContext,
  payment: PendingPayment,
  refusal: ProblemError,
  isLimitReached: boolean,
): Promise<SignInChallenge | undefined> {
  if (isLimitReached) throw new UnfinishedError(payment.id, payment.inferenceId, refusal)
  try {
    return await proof.renew(refusal)
  } catch (error) {
    throw error === refusal ? new SignedOutError(payment.id, payment.inferenceId, refusal) : error
  }
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
