import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterEach, describe, expect, it } from 'vitest'
import type { Buyer } from '../helpers/buyer.ts'
import { startTestStack, type TestStack } from '../helpers/stack.ts'

const body = JSON.stringify({
  task: 'text-to-image',
  model: 'black-forest-labs/flux-schnell',
  input: { prompt: 'a sailing boat at dawn' },
})

let stack: TestStack | undefined
afterEach(() => stack?.stop())

/** A `fetch` that carries the wallet's session and CSRF token, as a browser's would. */
function withCookies(buyer: Buyer): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init)
    for (const [name, value] of Object.entries(buyer.cookies.headers)) request.headers.set(name, value)
    return fetch(request)
  }
}

function clientOf(buyer: Buyer): x402Client {
  return x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(buyer.account) }] })
}

async function buyWith(client: x402Client, buyer: Buyer, origin: string): Promise<Response> {
  const pay = wrapFetchWithPayment(withCookies(buyer), client)
  return pay(`${origin}/api/inference`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
}

describe('an unmodified @x402/fetch client', () => {
  it('default: buys with nothing but a spend control for the local USDC', async () => {
    stack = await startTestStack()
    const buyer = await stack.signedIn()
    const { network, usdc, origin } = stack.facts
    const client = clientOf(buyer).setSpendControls({
      allowedAssets: [{ network, asset: usdc, maxAmountPerPayment: '20000' }],
    })
    const response = await buyWith(client, buyer, origin)
    expect(response.status).toBe(200)
    const result: { status: string; metrics: { paymentTxHash: string } } = await response.json()
    expect(result.status).toBe('succeeded')
    const receipt = decodePaymentResponseHeader(response.headers.get('Payment-Response') ?? '')
    expect(receipt).toMatchObject({ success: true, network, transaction: result.metrics.paymentTxHash })
    expect(await stack.transfers()).toEqual([
      { from: buyer.account.address, value: 10_000n, transactionHash: result.metrics.paymentTxHash },
    ])
  })

  it('default: on chain 84532 with USDC at its own address it needs no setting but the signer', async () => {
    stack = await startTestStack({ chainId: 84532 })
    expect(stack.facts.usdc).toBe('0x036CbD53842c5426634e7929541eC2318f3dCF7e')
    const buyer = await stack.signedIn()
    const response = await buyWith(clientOf(buyer), buyer, stack.facts.origin)
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: 'succeeded' })])
    expect(await stack.transfers()).toEqual([expect.objectContaining({ value: 10_000n })])
  })
})
