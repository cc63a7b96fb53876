import { getAddress } from 'viem'
import { toHeader } from '../../../../protocol/base64.ts'
import type { PaymentState } from '../../../../protocol/problems.ts'
import type { Problem } from '../../../errors.ts'
import type { PaymentRequired } from '../../../x402/schemas.ts'
import type { RequestDeps } from '../../deps.ts'
import { type ChallengedSubject, challenge } from '../quote/quote.ts'
import { type Endpoint, signInExtension } from '../quote/signed-out.ts'

/** Why a 402 is answered. */
export interface Refusal402 {
  code: 'payment_required' | 'payment_rejected' | 'quote_expired'
  /** As x402's `error`. */
  reason: string
  detail?: string
  /** The payment that `/settle` itself refused, which a `Payment-Response` then says. */
  refused?: { network: string; payer: string }
}

/** A payment in the header of x402 version 1 is not read, and must not be taken for no payment at all. */
export const OLD_PAYMENT_HEADER: Refusal402 = {
  code: 'payment_required',
  reason: 'X-PAYMENT is not read: send a payment of x402 version 2 as Payment-Signature',
  detail: 'X-PAYMENT is the header of x402 version 1. Send a payment of version 2 as Payment-Signature.',
}

const DETAILS: Record<Refusal402['code'], (reason: string) => string> = {
  payment_required: () => 'Sign one of the payments in `accepts` and send the same body again with it.',
  payment_rejected: (reason) => `The payment was not taken: ${reason}. Nothing was charged.`,
  quote_expired: (reason) => `The price has to be quoted anew: ${reason}. Nothing was charged.`,
}

/** A 402 with a fresh quote: the challenge is in the header and, with the problem's members, in the body. */
export async function paymentProblem(
  deps: RequestDeps,
  subject: ChallengedSubject,
  { code, reason, refused, detail = DETAILS[code](reason) }: Refusal402,
): Promise<Problem> {
  const { required, header } = await challenge(deps, subject, reason)
  const mustSignIn = subject.session === null && !deps.config.paymentSignIn
  const failed = refused && {
    success: false,
    errorReason: reason,
    payer: getAddress(refused.payer),
    transaction: '',
    network: refused.network,
  }
  return {
    code,
    details: {
      ...required,
      detail,
      paymentState: 'unused',
      nextAction: mustSignIn ? 'sign_in' : 'sign_new_payment',
    },
    headers: {
      'Payment-Required': header,
      ...(failed !== undefined && { 'Payment-Response': toHeader(failed) }),
    },
  }
}

/**
 * The 402 of a paid call whose caller is not proven: a fresh challenge of both kinds, and what is known of the payment. Nothing
 * was claimed, and nothing of a record is shown.
 */
export async function unprovenProblem(
  deps: RequestDeps,
  subject: ChallengedSubject,
  paymentState: PaymentState,
): Promise<Problem> {
  const { required, header } = await challenge(
    deps,
    { ...subject, session: null },
    'Sign in, and send the same payment again',
  )
  const detail =
    'This call charged nothing. Prove the wallet of the payment with SIGN-IN-WITH-X or a session, and send it again.'
  return {
    code: 'payment_required',
    details: { ...required, detail, paymentState, nextAction: 'sign_in' },
    headers: { 'Payment-Required': header },
  }
}

/** The 402 of a call that costs nothing and needs a session: `accepts` is empty, and the challenge says what to sign. */
export function signInProblem(deps: RequestDeps, endpoint: Endpoint): Problem {
  const required: PaymentRequired = {
    x402Version: 2,
    error: 'Sign in',
    resource: {
      url: endpoint.origin + endpoint.path,
      description: 'Needs a proof of the wallet, and costs nothing',
      mimeType: 'application/json',
    },
    accepts: [],
    extensions: signInExtension(deps, endpoint),
  }
  const detail = 'Sign the challenge and send it as SIGN-IN-WITH-X, or sign in for a session cookie.'
  return {
    code: 'payment_required',
    details: { ...required, detail, nextAction: 'sign_in' },
    headers: { 'Payment-Required': toHeader(required) },
  }
}
