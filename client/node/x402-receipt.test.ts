import { encodePaymentResponseHeader } from '@x402/core/http'
import { createReceiptEIP712 } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { ReceiptError } from './errors.ts'
import { findX402Receipt, verifyX402Receipt, type X402Receipt } from './x402-receipt.ts'

const service = privateKeyToAccount(`0x${'44'.repeat(32)}`)
const OTHER = '0x000000000000000000000000000000000000dEaD'
const PAID = {
  resourceUrl: 'https://coinslot.example/api/inference',
  payer: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  network: 'eip155:84532',
  transaction: `0x${'ab'.repeat(32)}`,
} as const

/** As x402's own server signs it. */
let receipt: X402Receipt
let header: string

beforeAll(async () => {
  const sign = (data: Parameters<typeof service.signTypedData>[0]) => service.signTypedData(data)
  const issued = await createReceiptEIP712(PAID, sign)
  receipt = (await verifyX402Receipt(issued)).receipt
  const { network, payer, transaction } = PAID
  const extensions = { 'offer-receipt': { info: { receipt: issued }, schema: {} } }
  header = encodePaymentResponseHeader({ success: true, network, payer, transaction, extensions })
})

describe('x402’s own receipt', () => {
  it('default: one that x402’s own server signed is by the published signer', async () => {
    const checked = await verifyX402Receipt(receipt, service.address)
    expect(checked).toEqual({ receipt, signedBy: service.address })
    expect(receipt.payload).toMatchObject({ ...PAID, version: 1 })
  })

  it.each<[string, () => string]>([
    [
      'the headers that curl wrote',
      () => `HTTP/1.1 200 OK\r\ncontent-type: text\r\npayment-response: ${header}\r\n\r\n`,
    ],
    ['the value of the header', () => `${header}\n`],
    ['the JSON of the header', () => atob(header)],
    ['the receipt alone', () => JSON.stringify(receipt)],
  ])('behavior: it is found in %s', (_where, text) => {
    expect(findX402Receipt(text())).toEqual(receipt)
  })

  it.each([[''], ['not base64'], ['[]'], ['{}'], ['{"domain":{},"message":{}}'], ['payment-response: e30=\r\n']])(
    'default: none in %j',
    (text) => {
      expect(findX402Receipt(text)).toBeUndefined()
    },
  )

  it.each<[string, (good: X402Receipt) => unknown, string]>([
    ['another payer', (good) => ({ ...good, payload: { ...good.payload, payer: OTHER } }), 'the receipt was changed'],
    ['another path', (good) => ({ ...good, payload: { ...good.payload, resourceUrl: 'https://x/' } }), 'was changed'],
    ['a broken signature', (good) => ({ ...good, signature: `0x${'00'.repeat(65)}` }), 'the signature is invalid'],
    [
      'its form as JWS',
      () => ({ format: 'jws', signature: 'a.b.c' }),
      'not an x402 receipt in its EIP-712 form: format',
    ],
    [
      'a time that is not one',
      (good) => ({ ...good, payload: { ...good.payload, issuedAt: 1e15 } }),
      'payload.issuedAt',
    ],
  ])('error: ReceiptError for %s', async (_what, change, message) => {
    const checking = verifyX402Receipt(change(receipt), service.address)
    await expect(checking).rejects.toThrow(ReceiptError)
    await expect(checking).rejects.toThrow(message)
  })

  it('error: ReceiptError where another address is published', async () => {
    await expect(verifyX402Receipt(receipt, OTHER)).rejects.toThrow(`${service.address} signed it and not ${OTHER}`)
  })
})
