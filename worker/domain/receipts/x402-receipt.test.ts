import { extractReceiptFromResponse, verifyReceiptSignatureEIP712 } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { makeTestConfig, TEST_ORIGIN } from '../../../test/helpers/config.ts'
import { useDatabase } from '../../../test/helpers/in-process-database.ts'
import { openService, requests } from '../../../test/helpers/in-process-service.ts'

const db = useDatabase()
const KEY = `0x${'44'.repeat(32)}` as const
const MAX_HEADER = 2_048

const post = (body: unknown, header: string) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Payment-Signature': header },
})

describe('offer-receipt', () => {
  it('behavior: a result has a receipt that x402’s own checker takes, the same at a replay', async () => {
    const config = makeTestConfig({ receiptSigningKey: KEY })
    const buyer = await openService(db.database, { config }).openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const receipts = []
    for (const _time of ['first', 'replay']) {
      const answer = await buyer.call('/api/inference', post(requests.text, header))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('Payment-Response')?.length).toBeLessThan(MAX_HEADER)
      receipts.push(extractReceiptFromResponse(answer))
    }
    const [receipt, again] = receipts
    if (receipt?.format !== 'eip712') throw new Error('no receipt')
    expect(again).toEqual(receipt)
    const { signer, payload } = await verifyReceiptSignatureEIP712(receipt)
    expect(signer).toBe(privateKeyToAccount(KEY).address)
    expect(payload).toEqual({
      version: 1,
      network: 'eip155:84532',
      resourceUrl: `${TEST_ORIGIN}/api/inference`,
      payer: buyer.account.address,
      issuedAt: expect.any(Number),
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })

  it('behavior: in OpenAI’s form it is of that path', async () => {
    const config = makeTestConfig({ receiptSigningKey: KEY })
    const buyer = await openService(db.database, { config }).openBuyer()
    const header = await buyer.signedPayment(requests.text)
    const chat = { model: requests.text.model, messages: [{ role: 'user', content: requests.text.input.prompt }] }
    const answer = await buyer.call('/v1/chat/completions', post(chat, header))
    expect(extractReceiptFromResponse(answer)).toMatchObject({
      payload: { resourceUrl: `${TEST_ORIGIN}/v1/chat/completions` },
    })
  })

  it('default: none without a key to sign with', async () => {
    const buyer = await openService(db.database).openBuyer()
    const answer = await buyer.call('/api/inference', post(requests.text, await buyer.signedPayment(requests.text)))
    expect(extractReceiptFromResponse(answer)).toBeUndefined()
  })
})
