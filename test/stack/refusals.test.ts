import { gzipSync } from 'node:zlib'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Buyer } from '../helpers/buyer.ts'
import { borrowProxiedStack, type ProxiedStack } from '../helpers/proxied-stack.ts'
import { decodeHeader, encodeHeader, type SignOverrides } from '../helpers/sign-payment.ts'
import { makeOutsider } from '../helpers/token.ts'

const text = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Explain how a lighthouse helps a sailor' },
}
const stranger = privateKeyToAccount(generatePrivateKey())

let stack: ProxiedStack
let buyer: Buyer
/** The price of the text now, in units of USDC. */
let price: number
beforeAll(async () => {
  stack = await borrowProxiedStack()
  buyer = await stack.signedIn()
  price = Number((await buyer.quote(text)).accepts[0]?.amount)
})
afterAll(() => stack?.stop())

const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds)

/** Everything a refused call must leave unchanged. */
async function world() {
  const isPaymentCall = ({ path }: { path: string }) => /\/(verify|settle)$/.test(path)
  return {
    transfers: (await stack.transfers()).length,
    predictions: await stack.predictions(),
    payments: (await stack.rows('payments')).length,
    inferences: (await stack.rows('inferences')).length,
    facilitator: stack.via.facilitator.count(isPaymentCall),
    balance: await stack.balance(buyer.account.address),
  }
}

async function expectRefused(call: () => Promise<Response>, status: number, code: string): Promise<void> {
  const before = await world()
  const response = await call()
  const problem: Record<string, unknown> = await response.json()
  expect([response.status, problem['code']]).toEqual([status, code])
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(response.headers.has('Payment-Required')).toBe(status === 402)
  expect(response.headers.has('Payment-Response')).toBe(false)
  if (status === 402 && code !== 'payment_required') expect(problem['paymentState']).toBe('unused')
  expect(await world()).toEqual(before)
}

describe('a payment that does not fit is refused, and nothing is charged or run', () => {
  const rejected = [402, 'payment_rejected'] as const
  const rows: [what: string, signed: () => SignOverrides | Promise<SignOverrides>, status: number, code: string][] = [
    ['a wrong signature', () => ({ signature: `0x${'11'.repeat(64)}1b` }), ...rejected],
    ['a signature in the upper half', () => highS(), ...rejected],
    ["another token's domain", () => ({ domain: { name: 'USD Gold' } }), ...rejected],
    ["another chain's domain", () => ({ domain: { chainId: 1 } }), ...rejected],
    ["another's payment", () => ({ from: stranger.address }), 403, 'payer_mismatch'],
    ['a unit too little', () => ({ value: String(price - 1) }), ...rejected],
    ['a unit too much', () => ({ value: String(price + 1) }), ...rejected],
    [
      'a unit too little, and said so',
      () => ({ value: String(price - 1), accepted: { amount: String(price - 1) } }),
      ...rejected,
    ],
    ['another asset', () => ({ accepted: { asset: stranger.address } }), ...rejected],
    ['another network', () => ({ accepted: { network: 'eip155:1' } }), ...rejected],
    ['another payee', () => ({ to: stranger.address }), ...rejected],
    [
      'another payee, and said so',
      () => ({ to: stranger.address, accepted: { payTo: stranger.address } }),
      ...rejected,
    ],
    ['another scheme', () => ({ accepted: { scheme: 'upto' } }), ...rejected],
    ['an expired authorization', () => ({ validBefore: inSeconds(-1) }), ...rejected],
    ['one that expires before it is mined', () => ({ validBefore: inSeconds(4) }), ...rejected],
    ['one that lives too long', () => ({ validBefore: inSeconds(930) }), ...rejected],
    ['one that is not valid yet', () => ({ validAfter: inSeconds(60) }), ...rejected],
    ['no quote, and another amount', () => ({ value: String(price - 1), extensions: {} }), 402, 'quote_expired'],
    [
      'a forged quote, and another amount',
      () => ({ value: String(price - 1), extensions: forged }),
      402,
      'quote_expired',
    ],
  ]
  const forged = { quote: { info: { token: 'eyJhIjoxfQ.c2lnbmF0dXJl' } } }

  it.each(rows)('error: %s', async (_what, signed, status, code) => {
    const header = await buyer.sign(await buyer.quote(text), await signed())
    await expectRefused(() => buyer.pay(text, header), status, code)
  })

  /** The other form of a valid signature: the curve's order minus s, and the other v. */
  async function highS(): Promise<SignOverrides> {
    const validBefore = inSeconds(60)
    const nonce = generatePrivateKey()
    const header = await buyer.sign(await buyer.quote(text), { validBefore, nonce })
    const { payload } = decodeHeader(header) as { payload: { signature: `0x${string}` } }
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${payload.signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const v = payload.signature.endsWith('1b') ? '1c' : '1b'
    return { validBefore, nonce, signature: `0x${payload.signature.slice(2, 66)}${s}${v}` }
  }

  const headers: [what: string, header: string][] = [
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['an empty object', encodeHeader({})],
    ['version 1', encodeHeader({ x402Version: 1, scheme: 'exact', network: 'base', payload: {} })],
    ['a number for a signature', encodeHeader({ x402Version: 2, payload: { signature: 1 }, accepted: {} })],
  ]
  it.each(headers)('error: invalid_payment_header of %s', async (_what, header) => {
    await expectRefused(() => buyer.pay(text, header), 400, 'invalid_payment_header')
  })

  it('error: payment_rejected for a contract wallet’s signature of an account without code', async () => {
    const header = await buyer.sign(await buyer.quote(text), { signature: `0x${'00'.repeat(64)}` })
    const before = await world()
    const answer = await buyer.pay(text, header)
    expect([answer.status, (await answer.json()).code]).toEqual(rejected)
    expect(await world()).toEqual(before)
  })

  it('error: payment_rejected for an authorization that was spent elsewhere, or cancelled', async () => {
    const outsider = makeOutsider(stack)
    const required = await buyer.quote(text)
    const nonce = generatePrivateKey()
    await outsider.submit(await buyer.sign(required, { nonce, to: stranger.address, value: '1' }))
    const spent = await buyer.sign(required, { nonce })
    const cancelled = await buyer.sign(required)
    await outsider.cancel(buyer.account, cancelled)
    const before = await world()
    for (const [header, reason] of [
      [spent, 'authorization_already_used'],
      [cancelled, 'authorization_cancelled'],
    ] as const) {
      const answer = await buyer.pay(text, header)
      expect([answer.status, (await answer.json()).error]).toEqual([402, reason])
    }
    const { transfers, predictions, inferences, balance } = before
    expect(await world()).toMatchObject({ transfers, predictions, inferences, balance })
  })
})

describe('a request that cannot be run is refused though its payment is good', () => {
  const withInput = (input: object) => ({ ...text, input: { ...text.input, ...input } })
  const rows: [what: string, body: unknown, status: number, code: string][] = [
    ['a NUL in the prompt', withInput({ prompt: 'a\u0000b' }), 400, 'invalid_request'],
    ['a lone surrogate in the prompt', withInput({ prompt: 'a\ud800b' }), 400, 'invalid_request'],
    ['a prompt of spaces', withInput({ prompt: '   ' }), 400, 'invalid_request'],
    ['a prompt that is too long', withInput({ prompt: 'a'.repeat(18_001) }), 400, 'invalid_request'],
    ['an unknown member', withInput({ webhook: 'https://example.com' }), 400, 'invalid_request'],
    ['more work than is allowed', withInput({ max_tokens: 1_000_000 }), 400, 'invalid_request'],
    ['an unknown model', { ...text, model: 'nobody/nothing' }, 404, 'model_not_found'],
    ['a wrong task', { ...text, task: 'text-to-image' }, 400, 'invalid_request'],
    ['an unknown task', { ...text, task: 'text-to-money' }, 400, 'invalid_request'],
    ['no input', { task: text.task, model: text.model }, 400, 'invalid_request'],
    ['no JSON', '{"task":', 400, 'invalid_json'],
    ['64 KiB and more', JSON.stringify(withInput({ prompt: 'a'.repeat(70_000) })), 413, 'payload_too_large'],
  ]
  it.each(rows)('error: %s', async (_what, body, status, code) => {
    const header = await buyer.sign(await buyer.quote(text))
    await expectRefused(() => buyer.pay(body, header), status, code)
  })

  it('error: a body whose type is not JSON, or that is compressed', async () => {
    const header = await buyer.sign(await buyer.quote(text))
    const type = { 'Content-Type': 'text/plain' }
    await expectRefused(() => buyer.pay(text, header, type), 415, 'unsupported_media_type')
    const body = gzipSync(JSON.stringify(text)).toString('latin1')
    await expectRefused(() => buyer.pay(body, header, { 'Content-Encoding': 'gzip' }), 415, 'unsupported_media_type')
  })

  it('error: no session, no CSRF token, a foreign page', async () => {
    const header = await buyer.sign(await buyer.quote(text))
    const signedOut = stack.buyer(1)
    await expectRefused(() => signedOut.pay(text, header), 402, 'payment_required')
    await expectRefused(() => buyer.pay(text, header, { 'X-CSRF-Token': 'x' }), 403, 'csrf_failed')
    await expectRefused(() => buyer.pay(text, header, { Origin: 'https://evil.example' }), 402, 'payment_required')
  })

  it('error: payment_required where the payment came in a header of version 1', async () => {
    const header = await buyer.sign(await buyer.quote(text))
    await expectRefused(() => buyer.post(text, { 'X-PAYMENT': header }), 402, 'payment_required')
  })

  it('error: payment_used_for_other_request for a payment that bought something else', async () => {
    const header = await buyer.sign(await buyer.quote(text))
    expect((await buyer.pay(text, header)).status).toBe(200)
    const other = withInput({ prompt: 'Explain how a harbour helps a sailor' })
    const before = await world()
    const answer = await buyer.pay(other, header)
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'payment_used_for_other_request'])
    expect(await world()).toEqual(before)
  })
})
