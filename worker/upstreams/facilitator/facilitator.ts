import type { PaymentPayload, PaymentRequirements } from '../../x402/schemas.ts'

/** The outcome of `/verify`. `unavailable` covers time-outs, 5xx, nonsense: nothing is known, nothing was sent. */
export type VerifyOutcome =
  | { kind: 'valid' }
  | { kind: 'invalid'; reason: string }
  | { kind: 'unavailable'; detail: string }

/**
 * The outcome of `/settle`. `refused` only when the facilitator clearly says no with an empty transaction and a reason that is not
 * pending, timed-out, duplicate, nonce-used or unexpected. Everything unclear is `unknown`: the chain decides.
 */
export type SettleOutcome =
  | { kind: 'settled'; transaction: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown'; reason: string; transaction?: string }

/** An x402 facilitator. No call throws for a fault of the facilitator; the outcome says so. */
export interface Facilitator {
  /**
   * CAIP-2 networks on which it serves the scheme `exact` of x402 version 2; no promise when they are known. Rejects with
   * `AppError facilitator_unavailable` when it cannot be asked.
   */
  supportedNetworks(): ReadonlySet<string> | Promise<ReadonlySet<string>>
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyOutcome>
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleOutcome>
}

/**
 * The subject of a facilitator's reason. Facilitators word their reasons each in their own way and add new ones,
 * so they are sorted by class and never matched against a full list; the raw text is what gets shown.
 */
type ReasonClass = 'nonce_used' | 'signature' | 'unclear' | 'refusal'

/** The authorization is spent or cancelled: the chain knows by whom and when. */
const NONCE_USED =
  /nonce.*(used|spent|cancel)|(used|spent|cancel).*nonce|authorization.*(used|spent|cancel)|already_(settled|used|spent)/
/** Nothing is said about the money: it may have moved, may move yet, or the facilitator itself is at a loss. */
const UNCLEAR =
  /pending|in_progress|processing|time_?d?_?out|duplicate|unexpected|unknown|internal|node_failure|unavailable/

/** Sorts a reason of `/verify` or `/settle`. An empty one is unclear. */
export function classifyReason(reason: string): ReasonClass {
  const words = reason.toLowerCase().replace(/[\s-]+/g, '_')
  if (words === '' || UNCLEAR.test(words)) return 'unclear'
  if (NONCE_USED.test(words)) return 'nonce_used'
  return /signature/.test(words) ? 'signature' : 'refusal'
}
