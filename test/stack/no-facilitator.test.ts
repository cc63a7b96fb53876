import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Buyer } from '../helpers/buyer.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const body = {
  task: 'text-to-text',
  model: 'meta/meta-llama-3-8b-instruct',
  input: { prompt: 'Summarise: cents add up.' },
}
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let stack: TestStack
let buyer: Buyer
beforeAll(async () => {
  stack = await startTestStack({ facilitator: false })
  buyer = await stack.signedIn()
})
afterAll(() => stack?.stop())

describe('the dev chain without a facilitator', () => {
  it('default: records a random UUID for the hash, and moves no money', async () => {
    expect(stack.info.facilitatorUrl).toBeNull()
    const response = await buyer.buy(body)
    const result = await response.json()
    expect([response.status, result.status]).toEqual([200, 'succeeded'])
    expect(result.metrics.paymentTxHash).toMatch(uuid)
    expect((await stack.rows('inferences')).map((row) => row['payment_tx_hash'])).toEqual([
      result.metrics.paymentTxHash,
    ])
    expect(await stack.transfers()).toEqual([])
  })

  it('error: PAYMENT_REJECTED for a signature of other bytes, and nothing runs', async () => {
    const before = await stack.predictions()
    const required = await buyer.quote(body)
    const response = await buyer.pay(body, await buyer.sign(required, { signature: `0x${'11'.repeat(64)}1b` }))
    expect([response.status, (await response.json()).code]).toEqual([402, 'payment_rejected'])
    expect(await stack.predictions()).toBe(before)
  })

  it('error: PAYMENT_USED_FOR_OTHER_REQUEST when a used authorization comes with another body', async () => {
    const header = await buyer.sign(await buyer.quote(body))
    expect((await buyer.pay(body, header)).status).toBe(200)
    const other = { ...body, input: { prompt: 'Something else entirely' } }
    const response = await buyer.pay(other, header)
    expect([response.status, (await response.json()).code]).toEqual([409, 'payment_used_for_other_request'])
    expect(await stack.transfers()).toEqual([])
  })
})
