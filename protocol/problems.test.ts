import { expect, it } from 'vitest'
import { PROBLEMS } from './problems.ts'

it('default: the codes of each status, which clients switch on', () => {
  const byStatus = Map.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status)
  const codes = [...byStatus].map(([status, rows]) => [status, rows.map(([code]) => code).join(' ')])
  expect(Object.fromEntries(codes)).toEqual({
    400: 'invalid_json invalid_request invalid_payment_header unsupported_chain invalid_siwe_message',
    401: 'unauthenticated invalid_signature nonce_expired nonce_used',
    402: 'payment_required payment_rejected quote_expired',
    403: 'csrf_failed payer_mismatch tier_required not_admin buyers_restricted',
    404: 'not_found model_not_found inference_not_found',
    405: 'method_not_allowed',
    409: 'payment_in_progress payment_used_for_other_request',
    413: 'payload_too_large',
    415: 'unsupported_media_type',
    429: 'rate_limited',
    500: 'internal_error',
    502: 'inference_failed',
    503: 'facilitator_unavailable model_unavailable tier_unavailable database_unavailable settlement_unknown misconfigured',
  })
})
