import * as z from 'zod'
import { mcpOperations, openaiOperations } from './openai-operations.ts'
import type { Answer, Operation } from './operation.ts'
import { DATABASE, JSON_BODY, PROOF, PURCHASE } from './purchase-operation.ts'
import { adminInferencesQuery, adminPaymentsQuery, historyQuery } from './requests.ts'

const SESSION = { needs: ['session'] } as const
/** A read that needs a session: a browser without one is answered 401, a program 402 with a challenge. */
const SIGNED_IN = [...PROOF, 'unauthenticated', 'payment_required'] as const
const KEY = { query: () => z.object({ key: z.string().optional() }) } as const

const ok = (schema: NonNullable<Answer['schema']>, description = 'OK'): Record<number, Answer> => ({
  200: { description, schema },
})

const signIn: Record<string, Operation> = {
  'get /api/auth/nonce': {
    tag: 'Sign-in',
    summary: 'A nonce for the sign-in message',
    description: 'Sets the CSRF cookie. Calls that change something send its value as `X-CSRF-Token`.',
    answers: { 200: { description: 'Good once, for 10 minutes', schema: 'Nonce', headers: ['Set-Cookie'] } },
    problems: [],
  },
  'post /api/auth/verify': {
    tag: 'Sign-in',
    summary: 'Sign in with a signed EIP-4361 message',
    needs: ['csrf'],
    body: { schema: 'SignInRequest' },
    answers: { 200: { description: 'Signed in', schema: 'Session', headers: ['Set-Cookie'] } },
    problems: [
      ...JSON_BODY,
      'invalid_siwe_message',
      'unsupported_chain',
      'invalid_signature',
      'nonce_expired',
      'nonce_used',
      'csrf_failed',
      'rate_limited',
      DATABASE,
    ],
  },
  'get /api/auth/session': {
    tag: 'Sign-in',
    summary: 'Who is signed in',
    answers: { 200: { description: 'Both null without a session', schema: 'Session', headers: ['Set-Cookie'] } },
    problems: PROOF,
  },
  'post /api/auth/logout': {
    tag: 'Sign-in',
    summary: 'Sign out',
    needs: ['csrf'],
    answers: { 204: { description: 'Signed out', headers: ['Set-Cookie'] } },
    problems: ['csrf_failed', 'payload_too_large', 'unsupported_media_type'],
  },
}

const STREAM =
  'Server-sent events: `verified`, `settled` {id, transaction, network, paymentResponse}, `running` {logs, seconds}, ' +
  '`token` {text}, `stored`, then one end: `result` (Inference), `pending` (PendingInference) or `error` (Problem).'

const inference: Record<string, Operation> = {
  'post /api/inference/estimate': {
    tag: 'Inference',
    summary: 'The price of a request',
    body: { schema: 'EstimateRequest' },
    answers: { 200: { description: 'OK', schema: 'Estimate', headers: ['Deprecation', 'Sunset'] } },
    problems: [...JSON_BODY, ...PROOF, 'model_not_found', DATABASE],
  },
  'post /api/inference': {
    tag: 'Inference',
    summary: 'Buy one inference',
    description:
      'Without `Payment-Signature` the answer is 402 with the price. With it: settled on chain, run, stored, recorded, answered. ' +
      'The same header again returns the stored outcome, never a second charge. With `PAYMENT_SIGN_IN`, an open quote is the ' +
      'sign-in, and `statusUrl` has a `key`.',
    isPaid: PURCHASE.isPaid,
    needs: PURCHASE.needs,
    requestHeaders: {
      ...PURCHASE.requestHeaders,
      Prefer: '`respond-async`: 202 as soon as it is paid.',
      Accept: '`text/event-stream`: see it happen.',
    },
    body: { schema: 'InferenceRequest' },
    answers: {
      200: {
        description: 'Paid and made',
        schema: 'Inference',
        headers: ['Payment-Response', 'Deprecation', 'Sunset'],
        others: { 'text/event-stream': STREAM },
      },
      202: {
        description: 'Paid; the result follows at `Location`',
        schema: 'PendingInference',
        headers: ['Payment-Response', 'Location', 'Retry-After'],
      },
    },
    problems: PURCHASE.problems,
  },
  'get /api/inference/{id}': {
    ...SESSION,
    ...KEY,
    tag: 'Inference',
    summary: 'Where a purchase stands, and its result',
    answers: {
      200: { description: 'The record', schema: 'InferenceRecord', headers: ['Retry-After'] },
    },
    problems: [...SIGNED_IN, 'inference_not_found', DATABASE],
  },
  'get /api/inference/{id}/receipt': {
    ...SESSION,
    ...KEY,
    tag: 'Inference',
    summary: 'The signed receipt of a succeeded inference',
    description: 'EIP-712 data and its signature; the signer stands in `/.well-known/coinslot.json`.',
    answers: ok('Receipt'),
    problems: [...SIGNED_IN, 'inference_not_found', 'not_found', 'model_unavailable', DATABASE],
  },
  'get /api/inferences': {
    ...SESSION,
    tag: 'Inference',
    summary: 'Your purchases, newest first',
    description:
      'A purchase is in the list as soon as it is paid. `q` searches prompts, upper or lower case, in 2,000 purchases for a page: ' +
      'one may be short or empty and still have a `nextCursor`.',
    query: historyQuery,
    answers: {
      200: {
        description: 'A page; with `format=csv` all of them',
        schema: 'InferencePage',
        headers: ['Content-Disposition'],
        others: { 'text/csv': 'RFC 4180, UTF-8, one line of column names.' },
      },
    },
    problems: [...SIGNED_IN, 'invalid_request', DATABASE],
  },
}

/** The calls of an owner on the share of an inference, and the one that anyone with its link may make. */
const sharing: Record<string, Operation> = {
  'get /api/inference/{id}/share': {
    ...SESSION,
    tag: 'Sharing',
    summary: 'The share of your inference',
    answers: ok('Share'),
    problems: [...SIGNED_IN, 'inference_not_found', 'not_found', DATABASE],
  },
  'put /api/inference/{id}/share': {
    needs: ['session', 'csrf'],
    tag: 'Sharing',
    summary: 'Share a result, with or without its prompt',
    description:
      'Shared again it keeps its id and shows what is asked for now. Its files are copies with the time of the share.',
    body: { schema: 'ShareRequest' },
    answers: ok('Share', 'Anyone with this id can read the result'),
    problems: [
      ...JSON_BODY,
      ...PROOF,
      'unauthenticated',
      'csrf_failed',
      'inference_not_found',
      'not_found',
      'model_unavailable',
      DATABASE,
    ],
  },
  'delete /api/inference/{id}/share': {
    needs: ['session', 'csrf'],
    tag: 'Sharing',
    summary: 'Take a share back',
    description: 'Its link answers 404 at once, and its files are removed.',
    answers: { 204: { description: 'No longer shared, also if it was not' } },
    problems: [...PROOF, 'unauthenticated', 'csrf_failed', 'inference_not_found', 'model_unavailable', DATABASE],
  },
  'get /api/shares/{id}': {
    tag: 'Sharing',
    summary: 'A shared result',
    description: 'Shows nothing of the wallet or the payment, and of the time only the UTC day.',
    answers: { 200: { description: 'The result', schema: 'SharedResult', headers: ['X-Robots-Tag'] } },
    problems: ['not_found', 'rate_limited', DATABASE],
  },
}

const service: Record<string, Operation> = {
  'get /api/account': {
    ...SESSION,
    tag: 'Account',
    summary: 'Stake, tier, discount, balances and what was spent',
    answers: ok('Account'),
    problems: [...SIGNED_IN, DATABASE],
  },
  'get /api/models': {
    tag: 'Service',
    summary: 'Every model with its input schema and price',
    answers: ok('Models'),
    problems: [...PROOF, DATABASE],
  },
  'get /api/stats': {
    tag: 'Service',
    summary: 'What was made and paid, in sums',
    answers: ok('Stats'),
    problems: [DATABASE],
  },
  'get /api/health': {
    tag: 'Service',
    summary: 'Whether database, storage and model provider answer',
    answers: { ...ok('Health'), 503: { description: 'The database does not answer', schema: 'Health' } },
    problems: [],
  },
  'get /api/openapi.json': {
    tag: 'Service',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1', others: { 'application/json': 'OpenAPI 3.1' } } },
    problems: [],
  },
  'get /.well-known/coinslot.json': {
    tag: 'Service',
    summary: 'Networks, payee and the signer of receipts',
    answers: ok('Service'),
    problems: [],
  },
  'get /.well-known/x402': {
    tag: 'Service',
    summary: 'Which resources take x402 payments',
    answers: ok('X402Discovery'),
    problems: [],
  },
  'get /.well-known/x402.json': {
    tag: 'Service',
    summary: 'The same as a catalogue reads it: price, input and output of each resource',
    answers: ok('X402Catalogue'),
    problems: ['facilitator_unavailable', DATABASE],
  },
  'get /.well-known/security.txt': {
    tag: 'Service',
    summary: 'Where to report a vulnerability',
    answers: { 200: { description: 'RFC 9116', others: { 'text/plain': 'RFC 9116.' } } },
    problems: [],
  },
}

const ADMIN = [...PROOF, 'invalid_request', 'unauthenticated', 'not_admin', DATABASE] as const

const operators: Record<string, Operation> = {
  'get /api/admin/payments': {
    ...SESSION,
    tag: 'Operators',
    summary: 'Payments by state: what is owed, to refund by hand',
    query: adminPaymentsQuery,
    answers: ok('AdminPayments'),
    problems: ADMIN,
  },
  'get /api/admin/inferences': {
    ...SESSION,
    tag: 'Operators',
    summary: 'Inferences by status',
    query: adminInferencesQuery,
    answers: ok('AdminInferences'),
    problems: ADMIN,
  },
  'get /api/admin/metrics': {
    ...SESSION,
    tag: 'Operators',
    summary: 'Payments by state, what is late, and how fast the peers answer',
    answers: ok('AdminMetrics'),
    problems: [...PROOF, 'unauthenticated', 'not_admin', DATABASE],
  },
  'post /api/webhooks/model-provider': {
    tag: 'Operators',
    summary: "The model provider's hint that a run moved on",
    requestHeaders: { 'webhook-id': 'Of the hint.', 'webhook-timestamp': 'Unix seconds.', 'webhook-signature': 'v1,…' },
    body: { description: 'A prediction; only its id is read.' },
    answers: { 204: { description: 'Heard' } },
    problems: [
      'invalid_json',
      'invalid_request',
      'invalid_signature',
      'not_found',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
}

/** Every call by `method path`, in the order to show. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...signIn,
  ...inference,
  ...sharing,
  ...openaiOperations,
  ...mcpOperations,
  ...service,
  ...operators,
}
