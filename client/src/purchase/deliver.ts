import { CoinslotError, ConnectionError, ProblemError, SignedOutError, UnfinishedError } from '../errors.ts'
import { backoffMs } from '../patience.ts'
import { textOf } from '../session/transport.ts'
import { parseJson } from '../shape.ts'
import type { PendingPayment } from '../store.ts'
import type { RunEvent } from './events.ts'
import { makeNews, type News } from './news.ts'
import type { Order, Shop } from './order.ts'
import { isProxys, nextStep, type Step } from './policy.ts'
import { type Outcome, outcomeOf } from './result.ts'
import { INFERENCE_PATH, sendPayment } from './send.ts'

/** The end of a delivery: the result, or a problem that sending the same payment again does not change. */
export type End = Extract<Outcome, { kind: 'result' | 'problem' }>

const MAX_SIGN_INS = 3

/**
 * Sends one payment, as often as it takes, and looks at its record, until there is an end. Throws `UnfinishedError` when there
 * is none after the order's tries or time.
 */
export async function* deliver(
  shop: Shop,
  order: Order,
  payment: PendingPayment,
): AsyncGenerator<RunEvent, End, undefined> {
  const news = makeNews(shop.store, payment)
  const deadline = Date.now() + order.timeoutMs
  let record: string | undefined
  let signIns = 0
  for (;;) {
    const met = yield* attempt(shop, order, payment, news, record)
    if (met.kind === 'result') return met
    if (met.kind === 'pending') {
      if (await news.pending(met.id)) yield { event: 'pending', id: met.id }
      if (Date.now() >= deadline) throw new UnfinishedError(payment.id, met.id, 'the service is still at it')
      record = `${INFERENCE_PATH}/${met.id}`
      await order.patience.sleep(met.waitSeconds * 1_000)
      continue
    }
    if (met.kind === 'problem') {
      const step = stepAt(met, order, record)
      if (step === 'stop' || step === 'sign_new') return assertWord(met, payment)
      if (step === 'sign_in' || step === 'refresh_csrf') {
        signIns += 1
        await renew(shop, payment, step, signIns > MAX_SIGN_INS, new ProblemError(met.problem))
      }
      record = step === 'poll' ? met.problem.statusUrl : undefined
    }
    yield* pause(order, payment, news.failed(), met, deadline)
  }
}

interface Lost {
  kind: 'lost'
  error: ConnectionError
}
type Trouble = Lost | Extract<Outcome, { kind: 'problem' }>

/** One sending, or one look at the record. */
async function* attempt(
  shop: Shop,
  order: Order,
  payment: PendingPayment,
  news: News,
  record: string | undefined,
): AsyncGenerator<RunEvent, Outcome | Lost, undefined> {
  try {
    if (record !== undefined) return await look(shop, order, record)
    return yield* news.heard(sendPayment(shop, order, payment, news.tell))
  } catch (error) {
    if (error instanceof ConnectionError) return { kind: 'lost', error }
    throw error
  }
}

async function look({ transport }: Shop, { signal }: Order, url: string): Promise<Outcome> {
  const response = await transport.call(url, { signal })
  return outcomeOf(parseJson(await textOf(response)), response.status, response.headers.get('retry-after'))
}

/** A record that is not shown to us is no word on the payment: the payment itself asks better. */
function stepAt({ problem }: { problem: ProblemError['problem'] }, order: Order, record: string | undefined): Step {
  if (record !== undefined && problem.code === 'inference_not_found') return 'send_again'
  return nextStep(problem, order.allowNewPayment)
}

/** What a proxy says in its own words (no problem document) ends no payment that may be under way. */
function assertWord(end: Extract<End, { kind: 'problem' }>, payment: PendingPayment): End {
  if (!isProxys(end.problem)) return end
  throw new UnfinishedError(payment.id, payment.inferenceId, new ProblemError(end.problem))
}

/** With a signed payment in hand, a sign-in that fails is no last word on it. Throws `UnfinishedError` then. */
export async function signedIn(payment: PendingPayment, signIn: () => Promise<unknown>): Promise<void> {
  try {
    await signIn()
  } catch (error) {
    if (!(error instanceof CoinslotError)) throw error
    throw new UnfinishedError(payment.id, payment.inferenceId, error)
  }
}

/** Gets a session, or a token, that holds. Throws `SignedOutError` where only the caller signs in. */
async function renew(
  shop: Shop,
  payment: PendingPayment,
  step: 'sign_in' | 'refresh_csrf',
  isEnough: boolean,
  refusal: ProblemError,
): Promise<void> {
  // A token that cannot be had now is asked for again: the next call says that it is missing.
  const renewToken = (): Promise<unknown> => shop.renewToken().catch(() => undefined)
  const way = step === 'sign_in' ? shop.signIn : renewToken
  if (way === undefined) throw new SignedOutError(payment.id, payment.inferenceId, refusal)
  await signedIn(payment, isEnough ? () => Promise.reject(refusal) : way)
}

/** Tells and waits, or gives up. */
async function* pause(
  { patience }: Order,
  payment: PendingPayment,
  failures: number,
  trouble: Trouble,
  deadline: number,
): AsyncGenerator<RunEvent, void, undefined> {
  const error = trouble.kind === 'lost' ? trouble.error : new ProblemError(trouble.problem)
  if (failures >= patience.tries || Date.now() >= deadline) {
    throw new UnfinishedError(payment.id, payment.inferenceId, error)
  }
  const problem = trouble.kind === 'lost' ? undefined : trouble.problem
  const waitMs = Math.round(backoffMs(failures, problem?.retryAfterSeconds, Math.random()))
  yield { event: 'again', why: error.message, waitMs, ...(problem !== undefined && { problem }) }
  await patience.sleep(waitMs)
}
