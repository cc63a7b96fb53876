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
