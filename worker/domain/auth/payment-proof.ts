import * as z from 'zod'
import { once } from '../../../db/once.ts'
import { type ClaimProof, requestKey } from '../../../db/queries/challenge-nonces.ts'
import { chainIdOf } from '../../../protocol/networks.ts'
import type { Config } from '../../config/config.ts'
import { makeTextSigner } from '../../lib/text-signer.ts'
import { quoteTokenOf } from '../../x402/headers.ts'
import { readOpenQuote } from '../../x402/open-quote.ts'
import type { PaymentPayload } from '../../x402/schemas.ts'
import type { RequestDeps, Session } from '../deps.ts'
import { SIGN_IN_WITH_X } from './challenge.ts'
import type { RequestProof } from './request-proof.ts'

/** How a paid call proved its wallet without a cookie. What it may claim or find, the claim statement decides. */
export interface PaymentProof {
  by: 'header' | 'echo' | 'open_quote'
  nonce: string
}

/** Who a paid call says it is: the session, and the proof where that is for this one request. */
export interface PaymentCaller {
  session: Session
  /** Null for a session's cookie. */
  proof: PaymentProof | null
}

/** True if this wallet signed in before the payment was looked at. Otherwise the claim statement decides. */
export const isProven = ({ proof }: PaymentCaller): boolean => proof === null || proof.by === 'header'

const echoedNonce = once(() =>
  z.object({ [SIGN_IN_WITH_X]: z.object({ info: z.object({ nonce: z.string().min(1).max(200) }) }) }),
)

/**
 * The caller of a paid call without a cookie and without a proof in its header: the payer, when the payment echoes the nonce of a
 * challenge, or with `PAYMENT_SIGN_IN` an open quote of this service. Null when it brings neither. No I/O.
 */
export function callerOfPayment(deps: RequestDeps, payload: PaymentPayload): PaymentCaller | null {
  const session = { address: payload.payload.authorization.from, chainId: chainIdOf(payload.accepted.network) }
  if (deps.config.paymentSignIn) {
    const token = quoteTokenOf(payload)
    const quote = token === null ? null : readOpenQuote(makeTextSigner(deps.config, 'quote'), token)
    if (quote !== null) return { session, proof: { by: 'open_quote', nonce: quote.nonce } }
  }
  const echoed = echoedNonce().safeParse(payload.extensions)
  if (!echoed.success) return null
  return { session, proof: { by: 'echo', nonce: echoed.data[SIGN_IN_WITH_X].info.nonce } }
}

/** The caller that a proof in the request's header names. */
export const callerOfHeader = ({ session, nonce }: RequestProof): PaymentCaller => ({
  session,
  proof: { by: 'header', nonce },
})

/**
 * The proof for the claim statement. `recovered`: the payment is a plain account's and may be claimed. An open quote is
 * enough for those alone; a plain account may have signed in on any of our chains.
 */
export function claimProofOf(
  config: Config,
  { session, proof }: PaymentCaller,
  requestHash: string,
  recovered: boolean,
): ClaimProof | null {
  if (proof === null) return null
  const keyOn = (chainId: number): string =>
    requestKey({ address: session.address.toLowerCase(), chainId, requestHash })
  return {
    nonce: proof.nonce,
    requestKey: keyOn(session.chainId),
    plainAccountKeys: config.networks.map(({ chainId }) => keyOn(chainId)),
    mayUseFresh: proof.by === 'header' ? 'always' : proof.by === 'open_quote' && recovered ? 'to_claim' : 'never',
  }
}

/** How long a record's key is good, in whole days of UTC from the day of its answer. */
const KEY_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const dayOf = (now: Date): number => Math.floor(now.getTime() / DAY_MS)

/**
 * The key under which one purchase is read without a session: 43 characters, good for 30 days. Only purchases by open quote are given
 * one. A later answer to the same payment has a new key.
 */
export const recordKey = (config: Config, inferenceId: string, now: Date): string =>
  makeTextSigner(config, 'record').sign(`${inferenceId}.${dayOf(now)}`)

/** True if a key is this purchase's, and not older than 30 days. */
export function isRecordKey(config: Config, inferenceId: string, key: string, now: Date): boolean {
  const signer = makeTextSigner(config, 'record')
  const days = Array.from({ length: KEY_DAYS + 1 }, (_, age) => dayOf(now) - age)
  return days.some((day) => signer.verify(`${inferenceId}.${day}`, key))
}
