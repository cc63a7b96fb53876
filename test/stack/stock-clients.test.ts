import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createSIWxClientExtension, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import axios from 'axios'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCoinslot } from '../../client/src/coinslot.ts'
import { startLossyProxy } from '../../client/testing/lossy-proxy.ts'
import { catalogue } from '../../worker/domain/models/catalogue.ts'
import { exampleBody } from '../../worker/domain/purchase/quote/bazaar.ts'
import type { Buyer } from '../helpers/buyer.ts'
import { expectOneTransferEach, type Paid, repeatingFetch } from '../helpers/buying.ts'
import { borrowTestStack, startTestStack, type TestStack } from '../helpers/stack.ts'
import { describeMcpClients } from './mcp-clients.ts'

const OUTPUTS = ['image', 'text', 'audio'] as const
/** The request for the first model of each kind of output. */
const [image, text, sound] = OUTPUTS.map((type) => exampleBody(catalogue.find(({ outputType }) => outputType === type)))

const resultSchema = z.object({
  status: z.literal('succeeded'),
  output: z.object({ type: z.string() }),
  metrics: z.object({ paymentTxHash: z.string(), paymentAmount: z.string() }),
})
type Result = z.infer<typeof resultSchema>

const requestSchema = z.object({
  task: z.enum(['text-to-image', 'text-to-text', 'text-to-sound']),
  model: z.string(),
  input: z.record(z.string(), z.unknown()),
})

/** Sends one purchase through `transport` with a published client, and returns the answer's body. */
type Client = (account: LocalAccount, transport: typeof fetch, origin: string, body: unknown) => Promise<unknown>

const LOST_SHARE = 0.3
/** Loses answers to paid and to unpaid calls of each client. */
const SEED = 22

let cookiesOrProofs: TestStack
/** On chain 84532 USDC has its public address, so that clients need no setting except the signer. */
let paymentIsSignIn: TestStack
beforeAll(async () => {
  ;[cookiesOrProofs, paymentIsSignIn] = await Promise.all([
    borrowTestStack(),
    startTestStack({ buyers: 10, chainId: 84532, paymentSignIn: true }),
  ])
})
afterAll(() => Promise.all([cookiesOrProofs?.stop(), paymentIsSignIn?.stop()]))

/** A client for USDC of a local chain, which no published list has. */
function localClient(account: LocalAccount): x402Client {
  const { network, usdc } = cookiesOrProofs.info
  return new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [{ network, asset: usdc, maxAmountPerPayment: '20000' }],
  })
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

async function buyWith(buy: typeof fetch, origin: string, body: unknown): Promise<unknown> {
  const response = await buy(`${origin}/api/inference`, post(body))
  const answer: unknown = await response.json()
  if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

const withExtension: Client = (account, transport, origin, body) => {
  const client = localClient(account).registerExtension(createSIWxClientExtension({ signers: [account] }))
  return buyWith(wrapFetchWithPayment(transport, client), origin, body)
}

const withWrappers: Client = (account, transport, origin, body) =>
  buyWith(wrapFetchWithPayment(wrapFetchWithSIWx(transport, account), localClient(account)), origin, body)

const plainFetch: Client = (account, transport, origin, body) => {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
  return buyWith(wrapFetchWithPayment(transport, client), origin, body)
}

const plainAxios: Client = async (account, transport, origin, body) => {
  const instance = axios.create({ baseURL: origin, adapter: 'fetch', env: { fetch: transport } })
  const client = new AxiosClient().register('eip155:*', new ExactEvmScheme(account))
  return (await wrapAxiosWithPayment(instance, client).post('/api/inference', body)).data
}

const paidFor = ({ metrics }: Result): Paid => ({ transaction: metrics.paymentTxHash, amount: metrics.paymentAmount })

async function buyOneOfEach(client: Client, account: LocalAccount, transport: typeof fetch, stack: TestStack) {
  const results: Result[] = []
  for (const body of [image, text, sound]) {
    results.push(resultSchema.parse(await client(account, transport, stack.info.origin, body)))
  }
  expect(results.map(({ output }) => output.type)).toEqual(OUTPUTS)
  await expectOneTransferEach(stack, account, results.map(paidFor))
}

const clients: { name: string; client: Client; stack: () => TestStack; index: number }[] = [
  { name: '@x402/fetch with the sign-in extension', client: withExtension, stack: () => cookiesOrProofs, index: 0 },
  { name: '@x402/fetch around wrapFetchWithSIWx', client: withWrappers, stack: () => cookiesOrProofs, index: 2 },
  { name: 'plain @x402/fetch, by PAYMENT_SIGN_IN', client: plainFetch, stack: () => paymentIsSignIn, index: 0 },
  { name: 'plain @x402/axios, by PAYMENT_SIGN_IN', client: plainAxios, stack: () => paymentIsSignIn, index: 2 },
]

describe('an unmodified client of the x402 packages buys a picture, a text and a sound', () => {
  it.each(clients)('default: $name, one transfer each', async ({ client, stack, index }) => {
    await buyOneOfEach(client, stack().buyer(index).account, fetch, stack())
  })

  it.each(clients)('behavior: $name, where 30 % of the answers are lost', async ({ client, stack, index }) => {
    const { origin } = stack().info
    const proxy = await startLossyProxy(origin, LOST_SHARE, SEED)
    try {
      const { account } = stack().buyer(index + 1)
      const caller = repeatingFetch(origin, proxy)
      await buyOneOfEach(client, account, caller.fetch, stack())
      expect(caller.lostPaidCalls()).toBeGreaterThan(0)
    } finally {
      await proxy.close()
    }
  })
})

describe('our own client buys a picture, a text and a sound', () => {
  const repeatsItself: Client = (account, transport, origin, body) =>
    createCoinslot({ origin, account, fetch: transport, maxUsdc: '0.02' }).run(requestSchema.parse(body)).result()

  it.each([
    { name: 'a service that wants a proof', stack: () => cookiesOrProofs },
    { name: 'a service with PAYMENT_SIGN_IN', stack: () => paymentIsSignIn },
  ])('behavior: $name, where 30 % of the answers are lost: one transfer each', async ({ stack }) => {
    const { origin } = stack().info
    const proxy = await startLossyProxy(origin, LOST_SHARE, SEED)
    const lossy: typeof fetch = (input, init) => fetch(String(input).replace(origin, proxy.url), init)
    try {
      await buyOneOfEach(repeatsItself, stack().buyer(9).account, lossy, stack())
      expect(proxy.counts().lost).toBeGreaterThan(2)
    } finally {
      await proxy.close()
    }
  })
})

/** A `fetch` that carries the wallet's session and CSRF token, as a browser's would. */
function withCookies({ cookies }: Buyer): typeof fetch {
  return (input, init) => {
    const call = new Request(input, init)
    for (const [name, value] of Object.entries(cookies.headers)) call.headers.set(name, value)
    return fetch(call)
  }
}

describe('an unmodified client of the x402 packages with a session’s cookies', () => {
  it('default: @x402/fetch buys, and reads what was settled from Payment-Response', async () => {
    const buyer = await cookiesOrProofs.signedIn(4)
    const { origin, network } = cookiesOrProofs.info
    const buy = wrapFetchWithPayment(withCookies(buyer), localClient(buyer.account))
    const response = await buy(`${origin}/api/inference`, post(image))
    const result = resultSchema.parse(await response.json())
    const receipt = decodePaymentResponseHeader(response.headers.get('Payment-Response') ?? '')
    expect(receipt).toMatchObject({ success: true, network, transaction: result.metrics.paymentTxHash })
    await expectOneTransferEach(cookiesOrProofs, buyer.account, [paidFor(result)])
  })

  it('default: @x402/axios buys, and pays once', async () => {
    const buyer = await paymentIsSignIn.signedIn(4)
    const instance = axios.create({ baseURL: paymentIsSignIn.info.origin })
    instance.interceptors.request.use((config) => {
      config.headers.set(buyer.cookies.headers)
      return config
    })
    const client = new AxiosClient().register('eip155:*', new ExactEvmScheme(buyer.account))
    const response = await wrapAxiosWithPayment(instance, client).post('/api/inference', image)
    await expectOneTransferEach(paymentIsSignIn, buyer.account, [paidFor(resultSchema.parse(response.data))])
  })
})

describeMcpClients({
  byPayment: { stack: () => paymentIsSignIn, buyers: [5, 6, 7, 8] },
  byProof: { stack: () => cookiesOrProofs, buyer: 5, payer: localClient },
})
