import type { LocalAccount } from 'viem'
import { expect } from 'vitest'
import type { LossyProxy } from '../../client/testing/lossy-proxy.ts'
import type { TestStack } from './stack.ts'

/** True if a call carries a payment, in its header or in the body of an MCP call. */
const isPaid = (headers: Headers, body: string): boolean =>
  headers.has('Payment-Signature') || body.includes('"x402/payment"')

/** A `fetch` by way of the proxy. As any careful program does, it repeats a call without an answer: same headers, same body. */
export function repeatingFetch(origin: string, proxy: LossyProxy) {
  let lostPaidCalls = 0
  const repeating: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const url = request.url.replace(origin, proxy.url)
    const { method, headers } = request
    const body = method === 'POST' ? await request.text() : null
    for (let attempt = 0; attempt < 50; attempt += 1) {
      try {
        const response = await fetch(url, { method, headers, body })
        return new Response(response.status === 202 ? null : await response.arrayBuffer(), response)
      } catch {
        // The answer was lost, before its head or in its body.
        if (isPaid(headers, body ?? '')) lostPaidCalls += 1
      }
    }
    throw new Error(`50 answers in a row were lost: ${url}`)
  }
  return { fetch: repeating, lostPaidCalls: () => lostPaidCalls }
}

/** The payment for one result. */
export interface Paid {
  transaction: string
  amount: string
}

/** Each result must have its own transfer on chain, and the wallet no other. */
export async function expectOneTransferEach(stack: TestStack, account: LocalAccount, results: Paid[]): Promise<void> {
  const transfers = (await stack.transfers()).filter(({ from }) => from === account.address)
  expect(transfers).toEqual(
    results.map(({ amount, transaction }) => ({
      from: account.address,
      value: BigInt(amount),
      transactionHash: transaction,
    })),
  )
  expect(new Set(transfers.map(({ transactionHash }) => transactionHash)).size).toBe(results.length)
}
