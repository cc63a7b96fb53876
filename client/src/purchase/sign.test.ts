import { decodePaymentSignatureHeader } from '@x402/core/http'
import {
  declarePaymentIdentifierExtension,
  extractAndValidatePaymentIdentifier,
} from '@x402/extensions/payment-identifier'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { fromHeader, toHeader } from '../../../protocol/base64.ts'
import type { TypedPayment } from '../account.ts'
import { readChallenge } from './challenge.ts'
import { type Quote, validBefore } from './quote.ts'
import { signPayment } from './sign.ts'

const ENTRY = {
  scheme: 'exact',
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  amount: '10000',
  payTo: '0x000000000000000000000000000000000000dEaD',
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2', paymentFlow: 'upfront' },
}
const REQUIRED = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'https://x/api/inference', description: 'text-to-image · FLUX é', mimeType: 'application/json' },
  accepts: [ENTRY],
  extensions: { quote: { info: { token: 't', expiresAt: '2026-01-01T00:10:00Z' }, schema: {} } },
}
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)

function quoted(): { quote: Quote; offer: Quote['offers'][number] } {
  const challenge = readChallenge(toHeader(REQUIRED), undefined, 0)
  const [offer] = challenge.offers
  if (offer === undefined) throw new Error('no offer')
  return { quote: { ...challenge, body: '{"a":1}', validBefore: 4_102_444_800 }, offer }
}

describe('what is signed', () => {
  it('default: the known signature of a Base Sepolia transfer', async () => {
    const { quote, offer } = quoted()
    const fixed = (payment: TypedPayment) =>
      account.signTypedData({ ...payment, message: { ...payment.message, nonce: `0x${'ab'.repeat(32)}` } })
    const { header } = await signPayment({ ...account, signTypedData: fixed }, quote, offer, {
      id: 'one',
      origin: 'https://x',
    })
    expect(fromHeader(header)).toMatchObject({
      payload: {
        signature:
          '0x709a8a6e728c602f4d64ca8ab05401c98cc6ec15be7a3c02e97b34b19935034c7035ffb3cb3dc4307b8f65dd52702f82a8db06e2c6c64d94fb2d7e57bca9f3d31b',
      },
    })
  })

  it('default: strict base64 of UTF-8 JSON that echoes entry, resource and extensions', async () => {
    const { quote, offer } = quoted()
    const mute = { ...account, signTypedData: async () => '0x12' as const }
    const payment = await signPayment(mute, quote, offer, { id: 'one', origin: 'https://x' })
    expect(payment.header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
    expect(JSON.parse(Buffer.from(payment.header, 'base64').toString())).toEqual({
      x402Version: 2,
      payload: {
        authorization: {
          from: account.address,
          to: ENTRY.payTo,
          value: '10000',
          validAfter: '0',
          validBefore: '4102444800',
          nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        },
        signature: '0x12',
      },
      resource: REQUIRED.resource,
      accepted: ENTRY,
      extensions: REQUIRED.extensions,
    })
    expect(payment).toMatchObject({ payer: account.address.toLowerCase(), body: '{"a":1}', validBefore: 4_102_444_800 })
  })

  it('behavior: every nonce is 32 bytes and new', async () => {
    const { quote, offer } = quoted()
    const nonces = new Set<string>()
    const noting = {
      ...account,
      signTypedData: async ({ message }: TypedPayment) => {
        nonces.add(message.nonce)
        return '0x12' as const
      },
    }
    for (let round = 0; round < 50; round += 1)
      await signPayment(noting, quote, offer, { id: 'one', origin: 'https://x' })
    expect(nonces.size).toBe(50)
    for (const nonce of nonces) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

describe('payment-identifier', () => {
  const ID = '3f2b8f54-7f0e-4c3b-9a59-0d8a5d6d2f10'
  const offered = { 'payment-identifier': declarePaymentIdentifierExtension() }

  /** The payment of a 402 with these extensions, as x402's own server reads it. */
  async function signedWith(extensions: Record<string, unknown>) {
    const { quote, offer } = quoted()
    const { header } = await signPayment(account, { ...quote, extensions }, offer, { id: ID, origin: 'https://x' })
    return decodePaymentSignatureHeader(header)
  }

  it('behavior: where the 402 offers it, a payment is sent under its kept id', async () => {
    const payment = await signedWith({ ...REQUIRED.extensions, ...offered })
    expect(extractAndValidatePaymentIdentifier(payment)).toEqual({ id: ID, validation: { valid: true } })
    expect(payment.extensions).toMatchObject({ ...REQUIRED.extensions, ...offered })
    expect(offered['payment-identifier'].info).toEqual({ required: false })
  })

  it.each([
    ['does not offer it', REQUIRED.extensions],
    ['offers it without info', { 'payment-identifier': {} }],
    ['offers it as a text', { 'payment-identifier': 'yes' }],
  ])('default: the extensions are echoed unchanged where the 402 %s', async (_what, extensions) => {
    const payment = await signedWith(extensions)
    expect(payment.extensions).toEqual(extensions)
    expect(extractAndValidatePaymentIdentifier(payment).id).toBeNull()
  })
})

describe('how long a signature is good', () => {
  it('default: ten minutes from now, never past the quote', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    const until = (expiresAt: number | undefined) => validBefore({ expiresAt }, now) - now / 1_000
    expect([until(undefined), until(now / 1_000 + 1_200), until(now / 1_000 + 180)]).toEqual([600, 600, 180])
  })

  it('behavior: of a second of the quote that has begun nothing is taken', () => {
    const required = { ...REQUIRED, extensions: { quote: { info: { expiresAt: '2026-01-01T00:03:00.900Z' } } } }
    const { expiresAt } = readChallenge(toHeader(required), undefined, 0)
    expect(expiresAt).toBe(Date.parse('2026-01-01T00:03:00Z') / 1_000)
  })
})
