/** The refusals of a JSON body. */
export const JSON_BODY = ['invalid_json', 'invalid_request', 'payload_too_large', 'unsupported_media_type'] as const
export const DATABASE = 'database_unavailable'
/** The refusals of a proof in `SIGN-IN-WITH-X`, on every call that reads a session. */
export const PROOF = [
  'invalid_siwe_message',
  'unsupported_chain',
  'invalid_signature',
  'nonce_expired',
  'rate_limited',
] as const
/** The refusals of a call that buys. */
const BUY = [
  ...JSON_BODY,
  ...PROOF,
  'nonce_used',
  'invalid_payment_header',
  'payment_required',
  'payment_rejected',
  'quote_expired',
  'csrf_failed',
  'payer_mismatch',
  'tier_required',
  'buyers_restricted',
  'model_not_found',
  'payment_in_progress',
  'payment_used_for_other_request',
  'inference_failed',
  'facilitator_unavailable',
  'model_unavailable',
  'tier_unavailable',
  DATABASE,
  'settlement_unknown',
] as const
/** The common part of every call that buys. */
export const PURCHASE = {
  isPaid: true,
  needs: ['session', 'csrf'],
  requestHeaders: {
    'SIGN-IN-WITH-X': 'The proof of the wallet, instead of a session.',
    'Payment-Signature': 'Base64 of an x402 version 2 PaymentPayload.',
  },
  problems: BUY,
} as const
