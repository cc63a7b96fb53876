import { hashStruct } from 'viem'
import { expect, it } from 'vitest'
import { OFFER_DOMAIN, OFFER_TYPES, X402_RECEIPT_DOMAIN, X402_RECEIPT_TYPES } from './offer.ts'
import { RECEIPT_DOMAIN, RECEIPT_TYPES } from './receipt.ts'

const typeOf = (name: string, fields: readonly { name: string; type: string }[]): string =>
  `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`

it('default: an offer is signed as the x402 extension says', () => {
  expect(OFFER_DOMAIN).toEqual({ name: 'x402 offer', version: '1', chainId: 1 })
  expect(typeOf('Offer', OFFER_TYPES.Offer)).toBe(
    'Offer(uint256 version,string resourceUrl,string scheme,string network,string asset,string payTo,string amount,uint256 validUntil)',
  )
})

it("default: x402's own receipt is signed as the extension says", () => {
  expect(X402_RECEIPT_DOMAIN).toEqual({ name: 'x402 receipt', version: '1', chainId: 1 })
  expect(typeOf('Receipt', X402_RECEIPT_TYPES.Receipt)).toBe(
    'Receipt(uint256 version,string network,string resourceUrl,string payer,uint256 issuedAt,string transaction)',
  )
})

it('default: receipts that were issued keep their digest', () => {
  expect(RECEIPT_DOMAIN).toEqual({ name: 'Coinslot receipt', version: '1' })
  const zero = `0x${'00'.repeat(20)}` as const
  const digest = `0x${'11'.repeat(32)}` as const
  const message = {
    service: 'https://coinslot.example',
    id: '00000000-0000-4000-8000-000000000000',
    payer: zero,
    payTo: zero,
    network: 'eip155:8453',
    asset: zero,
    amount: 10_000n,
    nonce: digest,
    transaction: digest,
    task: 'text-to-image',
    model: 'black-forest-labs/flux-schnell',
    requestDigest: digest,
    outputDigests: [digest],
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:00:01.000Z',
  }
  expect(hashStruct({ types: RECEIPT_TYPES, primaryType: 'Receipt', data: message })).toBe(
    '0x3f25b2dd59bb7f286337410bb5eee492a3f0c9c58e1c980a24c735ff3d2e89ba',
  )
})
