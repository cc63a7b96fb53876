import { wrapAxiosWithPayment, x402Client } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import axios, { type AxiosInstance } from 'axios'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import type { Buyer } from '../helpers/buyer.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

// On chain 84532 USDC stands at its public address, so that the client needs no setting but the signer.
let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ chainId: 84532 })
})
afterAll(() => stack?.stop())

/** An axios that carries the wallet's session and CSRF token, as a browser's would. */
function axiosOf(buyer: Buyer): AxiosInstance {
  const instance = axios.create({ baseURL: stack.facts.origin })
  instance.interceptors.request.use((config) => {
    config.headers.set(buyer.cookies.headers)
    return config
  })
  return instance
}

const resultSchema = z.object({ status: z.string(), metrics: z.object({ paymentTxHash: z.string() }) })

it('default: an unmodified @x402/axios client buys, and pays once', async () => {
  const buyer = await stack.signedIn()
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(buyer.account))
  const response = await wrapAxiosWithPayment(axiosOf(buyer), client).post('/api/inference', {
    task: 'text-to-image',
    model: 'black-forest-labs/flux-schnell',
    input: { prompt: 'a sailing boat at dawn' },
  })
  const { status, metrics } = resultSchema.parse(response.data)
  expect([response.status, status]).toEqual([200, 'succeeded'])
  expect(await stack.transfers()).toEqual([
    { from: buyer.account.address, value: 10_000n, transactionHash: metrics.paymentTxHash },
  ])
})
