import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Buyer } from '../helpers/buyer.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const request = {
  task: 'text-to-image',
  model: 'black-forest-labs/flux-schnell',
  input: { prompt: 'a sailing boat at dawn' },
}
const resultSchema = z.object({
  status: z.string(),
  metrics: z.object({ paymentTxHash: z.string(), paymentAmount: z.string() }),
})
type Metrics = z.infer<typeof resultSchema>['metrics']

let local: TestStack
/** On chain 84532 USDC has its public address, so that clients need no setting except the signer. */
let sepolia: TestStack
beforeAll(async () => {
  ;[local, sepolia] = await Promise.all([startTestStack(), startTestStack({ chainId: 84532 })])
})
afterAll(() => Promise.all([local?.stop(), sepolia?.stop()]))

/** A `fetch` that carries the wallet's session and CSRF token, as a browser's would. */
function withCookies({ cookies }: Buyer): typeof fetch {
  return (input, init) => {
    const call = new Request(input, init)
    for (const [name, value] of Object.entries(cookies.headers)) call.headers.set(name, value)
    return fetch(call)
  }
}

const clientOf = ({ account }: Buyer): x402Client => new x402Client().register('eip155:*', new ExactEvmScheme(account))

const buyWithFetch = (client: x402Client, buyer: Buyer, { info }: TestStack): Promise<Response> =>
  wrapFetchWithPayment(withCookies(buyer), client)(`${info.origin}/api/inference`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  })

async function expectPaidOnce(stack: TestStack, { account }: Buyer, metrics: Metrics): Promise<void> {
  const paid = (await stack.transfers()).filter(({ from }) => from === account.address)
  const value = BigInt(metrics.paymentAmount)
  expect(paid).toEqual([{ from: account.address, value, transactionHash: metrics.paymentTxHash }])
}

describe('an unmodified client of the x402 packages', () => {
  it('default: @x402/fetch buys with a spend control for the local USDC and no other setting', async () => {
    const buyer = await local.signedIn()
    const { network, usdc } = local.info
    const client = clientOf(buyer).setSpendControls({
      allowedAssets: [{ network, asset: usdc, maxAmountPerPayment: '20000' }],
    })
    const response = await buyWithFetch(client, buyer, local)
    expect(response.status).toBe(200)
    const { metrics } = resultSchema.parse(await response.json())
    const receipt = decodePaymentResponseHeader(response.headers.get('Payment-Response') ?? '')
    expect(receipt).toMatchObject({ success: true, network, transaction: metrics.paymentTxHash })
    await expectPaidOnce(local, buyer, metrics)
  })

  it('default: @x402/fetch on chain 84532 needs no setting except the signer', async () => {
    expect(sepolia.info.usdc).toBe('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
    const buyer = await sepolia.signedIn(0)
    const response = await buyWithFetch(clientOf(buyer), buyer, sepolia)
    const { status, metrics } = resultSchema.parse(await response.json())
    expect([response.status, status]).toEqual([200, 'succeeded'])
    await expectPaidOnce(sepolia, buyer, metrics)
  })

  it('default: @x402/axios buys, and pays once', async () => {
    const buyer = await sepolia.signedIn(1)
    const instance = axios.create({ baseURL: sepolia.info.origin })
    instance.interceptors.request.use((config) => {
      config.headers.set(buyer.cookies.headers)
      return config
    })
    const client = new AxiosClient().register('eip155:*', new ExactEvmScheme(buyer.account))
    const response = await wrapAxiosWithPayment(instance, client).post('/api/inference', request)
    const { status, metrics } = resultSchema.parse(response.data)
    expect([response.status, status]).toEqual([200, 'succeeded'])
    await expectPaidOnce(sepolia, buyer, metrics)
  })
})
