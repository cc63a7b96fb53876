import { parseJson } from '../json-fields.ts'
import { CoinslotError, isSignedOut, ProblemError, readProblem } from '../problem.ts'
import type { SignInChallenge } from '../session/challenge.ts'
import { jsonOf, textOf } from '../session/transport.ts'
import { isProofRefused } from '../session/wallet-proof.ts'
import { type Challenge, readChallenge } from './challenge.ts'
import type { PurchaseContext, PurchaseOptions } from './context.ts'
import { INFERENCE_PATH } from './send.ts'

/** Validity of a signature in seconds: enough to send it again after an outage, below the service's limit of 900. */
const VALID_SECONDS = 600

const MAX_ASKS = 5

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

/** The price for anyone, or the wallet's own where a session's cookie comes with the call. */
export const askBaseQuote = (context: PurchaseContext, options: PurchaseOptions): Promise<Quote> =>
  askUntil(context, options, undefined, () => true)

/** The wallet's own price: from `base` where that is known, by answering its challenge. */
export async function askOwnQuote(context: PurchaseContext, options: PurchaseOptions, base?: Quote): Promise<Quote> {
  if (base !== undefined && base.signIn === undefined) return base
  // The service repeats the nonce of the proof that it accepted.
  const isOwn = ({ signIn }: Quote, answered: SignInChallenge | undefined): boolean =>
    signIn === undefined || signIn.nonce === answered?.nonce
  return askUntil(context, options, base?.signIn, isOwn)
}

/** Asks, answering the challenge of the last answer, until `isWanted`. A call that failed is repeated, since nothing is paid. */
async function askUntil(
  context: PurchaseContext,
  options: PurchaseOptions,
  first: SignInChallenge | undefined,
  isWanted: (quote: Quote, answered: SignInChallenge | undefined) => boolean,
): Promise<Quote> {
  let challenge = first
  for (let asks = 1; ; asks += 1) {
    try {
      const quote = await options.retrier.retry(() => ask(context, options, challenge))
      if (isWanted(quote, challenge)) return quote
      if (asks >= MAX_ASKS) throw new CoinslotError('the service keeps asking for a proof of the wallet')
      challenge = quote.signIn
    } catch (error) {
      if (!(error instanceof ProblemError) || !isProofRefused(error.problem) || asks >= MAX_ASKS) throw error
      challenge = await context.proof.renew(error)
    }
  }
}

async function ask(
  { transport, proof }: PurchaseContext,
  { body, signal }: PurchaseOptions,
  challenge: SignInChallenge | undefined,
): Promise<Quote> {
  const headers = await proof.headers(INFERENCE_PATH, challenge)
  const response = await transport.call(INFERENCE_PATH, { method: 'POST', body, headers, signal })
  if (response.status === 402) {
    const header = response.headers.get('payment-required')
    const json = parseJson(await textOf(response))
    const problem = readProblem(json, response.status)
    // The price for a page without a session is not the caller's own, and cannot be paid without a proof.
    if (isSignedOut(problem) && !proof.signsRequests) throw new ProblemError(problem)
    const now = transport.now()
    const quoted = readChallenge(header, json, now)
    return { ...quoted, body, validBefore: validBefore(quoted, now) }
  }
  await jsonOf(response)
  throw new CoinslotError(`the service asked for no payment but answered ${response.status}`)
}
