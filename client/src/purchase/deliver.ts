import { CoinslotError, ConnectionError, type Problem, ProblemError, UnfinishedError } from '../errors.ts'
import { backoffMs } from '../patience.ts'
import { textOf } from '../session/transport.ts'
import { parseJson } from '../shape.ts'
import type { PendingPayment } from '../store.ts'
import { makeTeller, type RunEvent } from './events.ts'
import type { Order, Shop } from './order.ts'
import { nextStep } from './policy.ts'
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
  const { patience } = order
  const deadline = Date.now() + order.timeoutMs
  const news = makeNews(shop, payment)
  let lookAt: string | undefined
  let signIns = 0
  for (;;) {
    let trouble: ConnectionError | ProblemError
    try {
      const outcome =
        lookAt === undefined
          ? yield* heard(sendPayment(shop, order, payment, news.tell), news)
          : await look(shop, order, lookAt)
      if (outcome.kind === 'result') return outcome
      if (outcome.kind === 'pending') {
        if (await news.pending(outcome.id)) yield { event: 'pending', id: outcome.id }
        if (Date.now() >= deadline) throw new UnfinishedError(payment.id, outcome.id, 'the service is still at it')
        lookAt = `${INFERENCE_PATH}/${outcome.id}`
        await patience.sleep(outcome.waitSeconds * 1_000)
        continue
      }
      const step = nextStep(outcome.problem, order.allowNewPayment)
      if (step === 'stop' || step === 'sign_new') return outcome
      if (step === 'sign_in' || step === 'refresh_csrf') {
        signIns += 1
        if (signIns > MAX_SIGN_INS) return outcome
        await signedIn(payment, shop.signIn)
      }
      lookAt = step === 'poll' ? outcome.problem.statusUrl : undefined
      trouble = new ProblemError(outcome.problem)
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      trouble = error
    }
    const failures = news.failed()
    if (failures >= patience.tries || Date.now() >= deadline) {
      throw new UnfinishedError(payment.id, payment.inferenceId, trouble)
    }
    const waitMs = Math.round(backoffMs(failures, askedSeconds(trouble), Math.random()))
    yield { event: 'again', why: trouble.message, waitMs }
    await patience.sleep(waitMs)
  }
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

const askedSeconds = (trouble: ConnectionError | ProblemError): Problem['retryAfterSeconds'] =>
  trouble instanceof ProblemError ? trouble.problem.retryAfterSeconds : undefined

/** Where the record stands. */
async function look({ transport }: Shop, { signal }: Order, url: string): Promise<Outcome> {
  const response = await transport.call(url, { signal })
  return outcomeOf(parseJson(await textOf(response)), response.status, response.headers.get('retry-after'))
}

type News = ReturnType<typeof makeNews>

/** What is known of a delivery. Anything that is told means that the service is there: trying starts over. */
function makeNews({ store }: Shop, payment: PendingPayment) {
  let failures = 0
  let toldPending = false

  async function note(inferenceId: string): Promise<void> {
    failures = 0
    if (payment.inferenceId === inferenceId || inferenceId === '') return
    payment.inferenceId = inferenceId
    await store.save(payment)
  }

  return {
    tell: makeTeller(),
    failed: () => {
      failures += 1
      return failures
    },
    heard: (event: RunEvent) => note(event.event === 'settled' ? event.id : ''),
    /** Whether this is the first time. */
    pending: async (id: string) => {
      await note(id)
      const isFirst = !toldPending
      toldPending = true
      return isFirst
    },
  }
}

async function* heard(sending: ReturnType<typeof sendPayment>, news: News): ReturnType<typeof sendPayment> {
  try {
    for (;;) {
      const { done, value } = await sending.next()
      if (done) return value
      await news.heard(value)
      yield value
    }
  } finally {
    // Somebody who stops listening ends the call; the purchase goes on without it.
    await sending.return({ kind: 'pending', id: '', waitSeconds: 0 })
  }
}
