import { describe, expect, it } from 'vitest'
import { toBase64Url, toHeader } from '../../protocol/base64.ts'
import { makeTextSigner } from '../lib/text-signer.ts'
import { type OpenQuote, openQuoteSchema, readOpenQuote, signOpenQuote } from './open-quote.ts'
import { makeRequirements } from './requirements.ts'

const OLD = 'an old secret of at least thirty-two characters'
const NEW = 'a new secret of at least thirty-two characters!'
const PAYEE = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const origins: { publicOrigins: readonly [string] } = { publicOrigins: ['https://coinslot.example.com'] }
const signer = makeTextSigner({ sessionSecret: NEW, ...origins }, 'quote')

/** The largest quote there is: four networks and AIC. */
const quote: OpenQuote = {
  v: 1,
  wallet: null,
  nonce: 'ab'.repeat(46),
  task: 'text-to-image',
  model: 'black-forest-labs/flux-1.1-pro-ultra-finetuned',
  requestHash: 'ab'.repeat(32),
  entries: [
    ['eip155:11155111', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', '1234567', 'USDC', '2'],
    ['eip155:11155111', '0x1111111111111111111111111111111111111111', '123456789012345678901234', 'Coinslot AIC', '1'],
    ['eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '1234567', 'USD Coin', '2'],
    ['eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '1234567', 'USD Coin', '2'],
    ['eip155:84532', '0x036CbD53842c5426634e7929541eC2318f3dCF7e', '1234567', 'USDC', '2'],
  ].map(([network, asset, amount, name, version]) =>
    openQuoteSchema().shape.entries.element.parse({ network, asset, amount, payTo: PAYEE, name, version }),
  ),
  ratePerSec: '0.000650000',
  discountPct: '35.00',
  stakedAic: '123456789123456789012345678',
  estimatedSeconds: '1234.567',
  estimatedCostUsdc: '1.234567',
  expiresAt: 1_795_812_916,
}

describe('open quotes', () => {
  it('default: a quote comes back as it was signed', () => {
    expect(readOpenQuote(signer, signOpenQuote(signer, quote))).toEqual(quote)
  })

  it('behavior: entries with different payees keep them', () => {
    const [first, second] = quote.entries
    if (first === undefined || second === undefined) throw new Error('two entries are needed')
    const mixed: OpenQuote = {
      ...quote,
      entries: [first, { ...second, payTo: '0x000000000000000000000000000000000000dEaD' }],
    }
    expect(readOpenQuote(signer, signOpenQuote(signer, mixed))).toEqual(mixed)
  })

  it('behavior: the largest token stays under 1.5 KB and its 402 header under 4 KiB', () => {
    const token = signOpenQuote(signer, quote)
    expect(token.length).toBeLessThan(1500)
    const header = toHeader({
      x402Version: 2,
      error: 'Payment required',
      resource: {
        url: 'https://coinslot.example.com/api/inference',
        description: 'text-to-image · FLUX 1.1 pro ultra finetuned',
        mimeType: 'application/json',
      },
      accepts: quote.entries.map((entry) =>
        makeRequirements(entry.network, entry.asset, entry.amount, entry.payTo, entry),
      ),
      extensions: { quote: { info: { token, expiresAt: '2026-11-27T23:00:00.000Z' }, schema: {} } },
    })
    expect(header.length).toBeLessThan(4096)
  })

  it('behavior: what the previous secret signed still holds', () => {
    const before = makeTextSigner({ sessionSecret: OLD, ...origins }, 'quote')
    const after = makeTextSigner({ sessionSecret: NEW, sessionSecretPrevious: OLD, ...origins }, 'quote')
    expect(readOpenQuote(after, signOpenQuote(before, quote))).toEqual(quote)
    expect(readOpenQuote(signer, signOpenQuote(before, quote))).toBeNull()
  })

  it('error: a cheaper price in a signed token is noticed', () => {
    const [body = '', signature] = signOpenQuote(signer, quote).split('.')
    const cheaper = atob(body.replaceAll('-', '+').replaceAll('_', '/')).replaceAll('1234567', '1')
    expect(readOpenQuote(signer, `${toBase64Url(new TextEncoder().encode(cheaper))}.${signature}`)).toBeNull()
  })

  it.each(['', '.', 'a.b', 'a.b.c', 'é.é', 'x'.repeat(9000)])('error: %j is not a quote', (token) => {
    expect(readOpenQuote(signer, token)).toBeNull()
  })

  it('error: a signed text that is not a quote is refused', () => {
    const body = toBase64Url(new TextEncoder().encode('{"v":1,"entries":[]}'))
    expect(readOpenQuote(signer, `${body}.${signer.sign(body)}`)).toBeNull()
  })
})
