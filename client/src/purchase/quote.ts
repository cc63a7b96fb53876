import { parseJson } from '../json-fields.ts'
import { CoinslotError, isSignedOut, ProblemError, readProblem } from '../problem.ts'
import { jsonOf, textOf } from '../session/transport.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import type { PurchaseContext, PurchaseOptions } from './context.ts'
import { INFERENCE_PATH } from './send.ts'

/** Validity of a signature in seconds: enough to send it again after an outage, below the service's limit of 900. */
const VALID_SECONDS = 600

const MAX_RENEWALS = 2

/** The price of one request: a whole payment without its signature. */
export interface Quote extends Challenge {
  /** The request exactly as it was priced and is sent. */
  readonly body: string
  /** Unix seconds at which a payment from this quote expires: after ten minutes, never after the quote. */
  readonly validBefore: number
}

/** The `validBefore` of a payment that is quoted now, in unix seconds. `now` is in milliseconds. */
export function validBefore({ expiresAt }: Pick<Challenge, 'expiresAt'>, now: number): number {
  const latest = Math.floor(now / 1_000) + VALID_SECONDS
  return Math.min(latest, expiresAt ?? latest)
}

/** Gets the price of a request. A failed call is repeated, since nothing is signed. */
export async function askQuote(context: PurchaseContext, options: PurchaseOptions): Promise<Quote> {
  await context.ensureSignedIn()
  for (let renewals = 0; ; renewals += 1) {
    try {
      return await options.retrier.retry(() => ask(context, options))
    } catch (error) {
      const renew = renewals < MAX_RENEWALS ? renewalFor(context, error) : undefined
      if (renew === undefined) throw error
      await renew()
    }
  }
}

async function ask({ transport }: PurchaseContext, { body, signal }: PurchaseOptions): Promise<Quote> {
  const response = await transport.call(INFERENCE_PATH, { method: 'POST', body, signal })
  if (response.status === 402) {
    const header = response.headers.get('payment-required')
    const json = parseJson(await textOf(response))
    const problem = readProblem(json, response.status)
    // The price for a caller without a session is not the caller's own, and cannot be paid without a proof.
    if (isSignedOut(problem)) throw new ProblemError(problem)
    const challenge = readChallenge(header, json)
    return { ...challenge, body, validBefore: validBefore(challenge, transport.now()) }
  }
  await jsonOf(response)
  throw new CoinslotError(`the service asked for no payment but answered ${response.status}`)
}

/** The renewal that the refused call needs; undefined when no renewal helps. */
function renewalFor(context: PurchaseContext, error: unknown): (() => Promise<unknown>) | undefined {
  if (!(error instanceof ProblemError)) return undefined
  if (error.problem.code === 'csrf_failed') return context.renewToken
  return isSignedOut(error.problem) ? context.signIn : undefined
}
