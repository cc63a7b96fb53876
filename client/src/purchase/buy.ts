import type { Reservation } from '../budget.ts'
import { CoinslotError, ProblemError } from '../errors.ts'
import { jsonOf, textOf } from '../session/transport.ts'
import { parseJson } from '../shape.ts'
import type { PendingPayment } from '../store.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import { chooseEntry } from './choose.ts'
import type { RunEvent } from './events.ts'
import type { Order, Shop } from './order.ts'
import { INFERENCE_PATH } from './send.ts'
import { signPayment } from './sign.ts'

/** A payment that was signed and kept, and what it took of the budget. */
export interface Bought {
  payment: PendingPayment
  reservation: Reservation | undefined
}

const MAX_SIGN_INS = 2

/** Asks for the price, holds it against limit and budget, signs once, and keeps what was signed. Nothing is sent yet. */
export async function* buy(shop: Shop, order: Order): AsyncGenerator<RunEvent, Bought, undefined> {
  const { transport, account, store, budget } = shop
  const challenge = await quote(shop, order)
  const { entry, price } = chooseEntry(challenge, order)
  yield { event: 'quoted', price, network: entry.network }
  const reservation = await budget?.reserve({ amountAtomic: entry.amount, payer: account.address.toLowerCase() })
  let payment: PendingPayment
  try {
    const request = { origin: transport.origin, body: order.body, now: transport.now() }
    payment = await signPayment(account, challenge, entry, request)
    await store.save(payment)
  } catch (error) {
    // Whatever was signed was sent nowhere and is forgotten here.
    await reservation?.cancel()
    throw error
  }
  yield { event: 'signed', paymentId: payment.id }
  return { payment, reservation }
}

/** The price of a request. Nothing is signed yet, so a call that failed is simply made again. */
async function quote(shop: Shop, order: Order): Promise<Challenge> {
  await shop.signedIn()
  for (let signIns = 0; ; signIns += 1) {
    try {
      return await order.patience.insist(() => ask(shop, order))
    } catch (error) {
      if (signIns === MAX_SIGN_INS || !isSignedOut(error)) throw error
      await shop.signIn()
    }
  }
}

async function ask({ transport }: Shop, { body, signal }: Order): Promise<Challenge> {
  const response = await transport.call(INFERENCE_PATH, { method: 'POST', body, signal })
  if (response.status === 402) {
    const header = response.headers.get('payment-required')
    return readChallenge(header, parseJson(await textOf(response)))
  }
  await jsonOf(response)
  throw new CoinslotError(`the service asked for no payment but answered ${response.status}`)
}

const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError && (error.problem.code === 'unauthenticated' || error.problem.code === 'csrf_failed')
