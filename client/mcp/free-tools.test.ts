import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { RECEIPT_DOMAIN, RECEIPT_TYPES } from '../../protocol/receipt.ts'
import { FREE, type FreeCalls } from './free-tools.ts'

const account = privateKeyToAccount(`0x${'44'.repeat(32)}`)
const ORIGIN = 'https://coinslot.example'
const hex = (byte: string, bytes: number) => `0x${byte.repeat(bytes)}` as const

async function receiptOf(service: string) {
  const message = {
    service,
    id: '0b9b3c1e-52c5-4a34-9a3e-2f6d5c1f7a10',
    payer: hex('11', 20),
    payTo: hex('22', 20),
    network: 'eip155:8453',
    asset: hex('33', 20),
    amount: '10000',
    nonce: hex('44', 32),
    transaction: hex('55', 32),
    task: 'text-to-text',
    model: 'a/text',
    requestDigest: hex('66', 32),
    outputDigests: [hex('77', 32)],
    createdAt: '2026-11-28T10:00:00.000Z',
    completedAt: '2026-11-28T10:00:01.000Z',
  }
  const typed = { domain: RECEIPT_DOMAIN, types: RECEIPT_TYPES, primaryType: 'Receipt' } as const
  const signature = await account.signTypedData({ ...typed, message: { ...message, amount: 10_000n } })
  return { domain: RECEIPT_DOMAIN, message, signature, outputUrls: [] }
}

/** `verify_receipt` before a service that says this about itself. */
async function verify(receipt: unknown, service: unknown) {
  const unused = () => Promise.reject(new Error('not asked'))
  const free: FreeCalls = {
    models: unused,
    choose: unused,
    price: unused,
    maxUsdc: undefined,
    purchase: unused,
    service: async () => service,
  }
  const tool = FREE.find(({ listed }) => listed.name === 'verify_receipt')
  return (await tool?.run({ receipt }, { free }))?.structuredContent
}

const SERVICE = { origin: ORIGIN, receipts: { signer: account.address } }

it('default: a receipt of this service is one, by its signer and its origin', async () => {
  expect(await verify(await receiptOf(ORIGIN), SERVICE)).toMatchObject({
    signedBy: account.address,
    isOfThisService: true,
    receipt: { service: ORIGIN },
  })
})

it.each(['https://preview.coinslot.example', 'http://coinslot.example'])(
  'error: G8 a receipt of %s by the same key is refused',
  async (service) => {
    await expect(verify(await receiptOf(service), SERVICE)).rejects.toThrow(
      `the receipt is of ${service}, and not of ${ORIGIN}`,
    )
  },
)

it('error: G8 a receipt of this service by another key is refused', async () => {
  const other = { ...SERVICE, receipts: { signer: hex('99', 20) } }
  await expect(verify(await receiptOf(ORIGIN), other)).rejects.toThrow(/signed it and not/)
})

it('behavior: a service without a signer promises nothing, and the one found is named', async () => {
  expect(await verify(await receiptOf(ORIGIN), { origin: ORIGIN, receipts: null })).toMatchObject({
    signedBy: account.address,
    isOfThisService: false,
  })
})
