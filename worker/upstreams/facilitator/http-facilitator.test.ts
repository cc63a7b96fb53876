import { describe, expect, it, vi } from 'vitest'
import type { Fetch } from '../../lib/http.ts'
import { makeRequirements } from '../../x402/requirements.ts'
import { type PaymentPayload, paymentPayloadSchema } from '../../x402/schemas.ts'
import { classifyReason } from './facilitator.ts'
import { readSettle, readVerify } from './facilitator-answers.ts'
import { makeHttpFacilitator } from './http-facilitator.ts'

const PAYER = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const PAYEE = '0x000000000000000000000000000000000000dEaD'
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const HASH = `0x${'AB'.repeat(32)}`
const NETWORK = 'eip155:84532'
const expected = { network: NETWORK, payer: PAYER }
const requirements = makeRequirements(NETWORK, USDC, '10000', PAYEE, { name: 'USDC', version: '2' })
const payload: PaymentPayload = paymentPayloadSchema().parse({
  x402Version: 2,
  payload: {
    authorization: {
      from: PAYER,
      to: PAYEE,
      value: '10000',
      validAfter: '0',
      validBefore: '4102444800',
      nonce: `0x${'ab'.repeat(32)}`,
    },
    signature: `0x${'11'.repeat(65)}`,
  },
  accepted: { scheme: 'exact', network: NETWORK, amount: '10000', asset: USDC.toLowerCase(), payTo: PAYEE },
  resource: { url: 'https://elsewhere.example' },
  extensions: { quote: { info: { token: 'secret.quote' } } },
})

const json = (value: unknown, status = 200): Response => Response.json(value, { status })
const answer = (value: unknown, status = 200) => ({
  status,
  text: typeof value === 'string' ? value : JSON.stringify(value),
})

interface Seen {
  url: string
  init: RequestInit | undefined
}

/** A fetch that plays `responses` in turn and keeps what it was asked. */
function script(...responses: (() => Response | Promise<Response>)[]): { fetch: Fetch; seen: Seen[] } {
  const seen: Seen[] = []
  const fetch: Fetch = async (url, init) => {
    seen.push({ url, init })
    const next = responses[seen.length - 1] ?? responses.at(-1)
    if (next === undefined) throw new Error('the script is empty')
    return next()
  }
  return { fetch, seen }
}

describe('readSettle', () => {
  const yes = { success: true, payer: PAYER, transaction: HASH, network: NETWORK }
  const no = { success: false, errorReason: 'insufficient_funds', payer: PAYER, transaction: '', network: NETWORK }

  it.each([
    ['a full yes', yes, 200],
    ['a payer in lower case', { ...yes, payer: PAYER.toLowerCase() }, 200],
    ['no payer', { ...yes, payer: null }, 200],
    ['status 400', yes, 400],
  ])('default: settled by %s', (_name, body, status) => {
    expect(readSettle(answer(body, status), expected)).toEqual({ kind: 'settled', transaction: HASH.toLowerCase() })
  })

  it.each([
    ['status 200', no, 200, 'insufficient_funds'],
    ['status 400', no, 400, 'insufficient_funds'],
    [
      'an empty network and no payer',
      { success: false, errorReason: 'invalid_payload', transaction: '', network: '' },
      200,
      'invalid_payload',
    ],
    [
      'no transaction member',
      { success: false, errorReason: 'invalid_exact_evm_insufficient_balance' },
      200,
      'invalid_exact_evm_insufficient_balance',
    ],
    ['words only', { ...no, errorReason: null, errorMessage: 'blocked by policy' }, 200, 'blocked by policy'],
    ['a bad signature', { ...no, errorReason: 'invalid_exact_evm_signature' }, 200, 'invalid_exact_evm_signature'],
  ])('behavior: refused by a clear no with %s', (_name, body, status, reason) => {
    expect(readSettle(answer(body, status), expected)).toEqual({ kind: 'refused', reason })
  })

  it.each([
    'settlement_pending',
    'settle_exact_evm_transaction_confirmation_timed_out',
    'duplicate_settlement',
    'invalid_exact_evm_nonce_already_used',
    'authorization is used or canceled',
    'unexpected_settle_error',
    'unknown_error',
    '',
  ])('behavior: unknown when the reason is %j', (errorReason) => {
    expect(readSettle(answer({ ...no, errorReason }), expected).kind).toBe('unknown')
  })

  it('behavior: unknown, with its hash, when a no names a transaction', () => {
    expect(readSettle(answer({ ...no, transaction: HASH }), expected)).toEqual({
      kind: 'unknown',
      reason: 'insufficient_funds',
      transaction: HASH.toLowerCase(),
    })
    expect(readSettle(answer({ ...no, transaction: 'payment-17' }), expected).kind).toBe('unknown')
  })

  it.each([
    ['an HTML page', '<html>Bad gateway</html>', 200],
    ['nothing', '', 200],
    ['a list', [], 200],
    ['success as a text', { ...yes, success: 'true' }, 200],
    ['no network', { ...yes, network: undefined }, 200],
    ['another network', { ...yes, network: 'eip155:8453' }, 200],
    ['another payer', { ...yes, payer: PAYEE }, 200],
    ['no hash', { ...yes, transaction: '' }, 200],
    ['a short hash', { ...yes, transaction: '0xabcd' }, 200],
    ['status 500 beside a yes', yes, 500],
    ['status 502 beside a no', no, 502],
    ['status 429 beside a no', no, 429],
    ['status 202', { paymentId: '17' }, 202],
  ])('error: unknown by %s', (_name, body, status) => {
    expect(readSettle(answer(body, status), expected).kind).toBe('unknown')
  })
})

describe('readVerify', () => {
  it.each([
    [{ isValid: true, payer: PAYER }, 200, { kind: 'valid' }],
    [{ isValid: false, invalidReason: 'insufficient_funds' }, 200, { kind: 'invalid', reason: 'insufficient_funds' }],
    [{ isValid: false, invalidReason: 'insufficient_funds' }, 400, { kind: 'invalid', reason: 'insufficient_funds' }],
    [{ isValid: false, invalidMessage: 'no\nmoney' }, 200, { kind: 'invalid', reason: 'no money' }],
    [{ isValid: false }, 200, { kind: 'invalid', reason: 'invalid_payment' }],
  ])('default: %j under %i', (body, status, outcome) => {
    expect(readVerify(answer(body, status))).toEqual(outcome)
  })

  it.each([
    ['{"isValid":true}', 503],
    ['{"isValid":false}', 429],
    ['{"isValid":"true"}', 200],
    ['{}', 200],
    ['true', 200],
    ['<html>', 200],
    ['', 401],
  ])('error: %s under %i is unavailable', (text, status) => {
    expect(readVerify({ status, text }).kind).toBe('unavailable')
  })
})

describe('classifyReason', () => {
  it.each([
    ['invalid_exact_evm_nonce_already_used', 'nonce_used'],
    ['authorization is used or canceled', 'nonce_used'],
    ['invalid_exact_evm_signature', 'signature'],
    ['invalid_exact_evm_transaction_failed', 'refusal'],
    ['invalid_exact_evm_payload_authorization_valid_before', 'refusal'],
    ['kyt_risk_detected', 'refusal'],
    ['Settlement pending', 'unclear'],
    ['request timeout', 'unclear'],
  ])('default: %s is %s', (reason, kind) => {
    expect(classifyReason(reason)).toBe(kind)
  })
})

describe('makeHttpFacilitator', () => {
  it('default: sends our own copy of what was asked, nothing of the client but what it signed', async () => {
    const { fetch, seen } = script(() => json({ isValid: true }))
    const facilitator = makeHttpFacilitator({ url: 'https://f.example/x402/', token: 't0ken', fetch })
    expect(await facilitator.verify(payload, requirements)).toEqual({ kind: 'valid' })
    expect(seen[0]?.url).toBe('https://f.example/x402/verify')
    expect(seen[0]?.init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: 'Bearer t0ken' },
    })
    expect(JSON.parse(String(seen[0]?.init?.body))).toEqual({
      x402Version: 2,
      paymentPayload: { x402Version: 2, payload: payload.payload, accepted: requirements },
      paymentRequirements: requirements,
    })
  })

  it.each([
    ['verify', 5_000, 'unavailable'],
    ['settle', 30_000, 'unknown'],
  ] as const)('error: /%s without an answer ends after %i ms as %s', async (name, ms, kind) => {
    vi.useFakeTimers()
    const facilitator = makeHttpFacilitator({ url: 'https://f.example', fetch: () => new Promise(() => undefined) })
    const outcome = facilitator[name](payload, requirements)
    await vi.advanceTimersByTimeAsync(ms)
    expect((await outcome).kind).toBe(kind)
  })

  it('error: a broken connection is unavailable or unknown, and is not tried again', async () => {
    const { fetch, seen } = script(() => Promise.reject(new TypeError('socket hang up')))
    const facilitator = makeHttpFacilitator({ url: 'https://f.example', fetch })
    expect((await facilitator.verify(payload, requirements)).kind).toBe('unavailable')
    expect((await facilitator.settle(payload, requirements)).kind).toBe('unknown')
    expect(seen).toHaveLength(2)
  })
})

describe('supportedNetworks', () => {
  const kind = { x402Version: 2, scheme: 'exact', network: NETWORK }

  it('default: networks of version 2 and scheme exact; broken entries do not hide good ones', async () => {
    const kinds = [
      kind,
      { ...kind, x402Version: 1, network: 'base' },
      { ...kind, scheme: 'upto', network: 'eip155:1' },
      null,
    ]
    const { fetch } = script(() => json({ kinds, extensions: [] }))
    expect([...(await makeHttpFacilitator({ url: 'https://f.example', fetch }).supportedNetworks())]).toEqual([NETWORK])
  })

  it('behavior: asked once in 10 minutes when good', async () => {
    let time = 0
    const { fetch, seen } = script(() => json({ kinds: [kind] }))
    const facilitator = makeHttpFacilitator({ url: 'https://f.example', fetch, now: () => time })
    await facilitator.supportedNetworks()
    time = 599_999
    await facilitator.supportedNetworks()
    expect(seen).toHaveLength(1)
    time = 600_000
    await facilitator.supportedNetworks()
    expect(seen).toHaveLength(2)
  })

  it.each([
    ['down', () => Promise.reject(new TypeError('refused'))],
    ['a redirect', () => new Response(null, { status: 308, headers: { location: '/x' } })],
    ['garbage', () => new Response('<html>')],
    ['an error with a body', () => json({ kinds: [kind] }, 500)],
  ])('error: facilitator_unavailable when it is %s, asked again after 5 s', async (_name, bad) => {
    let time = 0
    const { fetch, seen } = script(bad, () => json({ kinds: [kind] }))
    const facilitator = makeHttpFacilitator({ url: 'https://f.example', fetch, now: () => time })
    await expect(facilitator.supportedNetworks()).rejects.toMatchObject({ code: 'facilitator_unavailable' })
    time = 4_999
    await expect(facilitator.supportedNetworks()).rejects.toMatchObject({ code: 'facilitator_unavailable' })
    expect(seen).toHaveLength(1)
    time = 5_000
    expect((await facilitator.supportedNetworks()).has(NETWORK)).toBe(true)
  })
})
