import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { readQuote } from './quote.ts'
import { authorize, paymentHeader, typedData, validBefore } from './typed-data.ts'

const ENTRY = {
  scheme: 'exact',
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  amount: '10000',
  payTo: '0x000000000000000000000000000000000000dEaD',
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2', paymentFlow: 'upfront' },
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const required = (accepts: unknown[] = [ENTRY]) => ({
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'https://x/api/inference', description: 'text-to-image · FLUX é', mimeType: 'application/json' },
  accepts,
  extensions: { quote: { info: { token: 't', expiresAt: '2026-01-01T00:10:00Z' }, schema: {} } },
})

describe('readQuote', () => {
  it('default: entries, expiry and what must be echoed, in UTF-8', () => {
    const quote = readQuote(encode(required()))
    expect(quote.offers).toMatchObject([{ chainId: 84532, amount: '10000', name: 'USDC', version: '2', entry: ENTRY }])
    expect(quote.expiresAt?.toISOString()).toBe('2026-01-01T00:10:00.000Z')
    expect(quote.resource?.['description']).toBe('text-to-image · FLUX é')
  })

  it('behavior: entries this site cannot sign are left out', () => {
    const quote = readQuote(encode(required([{ ...ENTRY, scheme: 'upto' }, { ...ENTRY, network: 'solana:x' }, ENTRY])))
    expect(quote.offers).toHaveLength(1)
    expect(() => readQuote(encode(required([{ ...ENTRY, amount: '0' }])))).toThrow('no payable entry')
  })
})

describe('validBefore', () => {
  it('default: ten minutes from now, never past the quote', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const unix = now.getTime() / 1000
    expect(validBefore({ expiresAt: null }, now)).toBe(unix + 600)
    expect(validBefore({ expiresAt: new Date('2026-01-01T00:20:00Z') }, now)).toBe(unix + 600)
    expect(validBefore({ expiresAt: new Date('2026-01-01T00:03:00.900Z') }, now)).toBe(unix + 180)
  })
})

describe('typedData', () => {
  it('default: the known digest of a Base Sepolia transfer, signed and recovered', async () => {
    const [offer] = readQuote(encode(required())).offers
    if (offer === undefined) throw new Error('no offer')
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const authorization = { ...authorize(offer, account.address, 4102444800), nonce: `0x${'ab'.repeat(32)}` }
    const { types, domain, message } = typedData(offer, authorization)
    const document = {
      types: { TransferWithAuthorization: types.TransferWithAuthorization },
      primaryType: 'TransferWithAuthorization' as const,
      domain: { ...domain, verifyingContract: ENTRY.asset as `0x${string}` },
      message: {
        from: account.address,
        to: ENTRY.payTo as `0x${string}`,
        value: BigInt(message.value),
        validAfter: BigInt(message.validAfter),
        validBefore: BigInt(message.validBefore),
        nonce: `0x${'ab'.repeat(32)}` as const,
      },
    }
    const signature = await account.signTypedData(document)
    expect(signature).toBe(
      '0x709a8a6e728c602f4d64ca8ab05401c98cc6ec15be7a3c02e97b34b19935034c7035ffb3cb3dc4307b8f65dd52702f82a8db06e2c6c64d94fb2d7e57bca9f3d31b',
    )
    expect(await recoverTypedDataAddress({ ...document, signature })).toBe(account.address)
  })

  it('behavior: every nonce is 32 bytes and new', () => {
    const [offer] = readQuote(encode(required())).offers
    if (offer === undefined) throw new Error('no offer')
    const nonces = Array.from({ length: 50 }, () => authorize(offer, '0x1', 1).nonce)
    expect(new Set(nonces).size).toBe(50)
    for (const nonce of nonces) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

describe('paymentHeader', () => {
  it('default: strict base64 of UTF-8 JSON that echoes entry, resource and extensions', () => {
    const quote = readQuote(encode(required()))
    const [offer] = quote.offers
    if (offer === undefined) throw new Error('no offer')
    const authorization = authorize(offer, '0xabc', 1)
    const header = paymentHeader(quote, offer, authorization, '0x12')
    expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
    expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual({
      x402Version: 2,
      payload: { authorization, signature: '0x12' },
      resource: required().resource,
      accepted: ENTRY,
      extensions: required().extensions,
    })
  })
})
