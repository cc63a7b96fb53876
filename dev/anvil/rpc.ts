import type { Hex } from 'viem'
import * as z from 'zod'

export interface RpcCall {
  method: string
  params: readonly unknown[]
}

const answerSchema = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})
const receiptSchema = z.object({ status: z.literal('0x1') })

/** A bare JSON-RPC client that sends many calls in one HTTP request. */
export interface Rpc {
  /** Results in the order of the calls. Throws when any of them fails. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>
  call(method: string, ...params: unknown[]): Promise<unknown>
  /** Sends transactions of unlocked accounts and waits until each is mined. Throws when one of them reverts. */
  transact(transactions: readonly Transaction[]): Promise<void>
}

export interface Transaction {
  from: Hex
  to?: Hex
  data: Hex
  /** Given, so that the node need not estimate. */
  gas?: bigint
}

export function createRpc(url: string): Rpc {
  const batch = async (calls: readonly RpcCall[]): Promise<unknown[]> => {
    if (calls.length === 0) return []
    const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
    const answers = z.array(answerSchema).parse(await response.json())
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map((call, id) => {
      const answer = byId.get(id)
      if (!answer) throw new Error(`${call.method}: no answer`)
      if (answer.error) throw new Error(`${call.method}: ${answer.error.message}`)
      return answer.result
    })
  }
  const rpc: Rpc = {
    batch,
    call: async (method, ...params) => (await batch([{ method, params }]))[0],
    transact: (transactions) => transact(batch, transactions),
  }
  return rpc
}

/** Explicit nonces let the whole list travel at once and still be mined in its order. */
async function transact(batch: Rpc['batch'], transactions: readonly Transaction[]): Promise<void> {
  const senders = [...new Set(transactions.map((transaction) => transaction.from))]
  const counts = await batch(senders.map((from) => ({ method: 'eth_getTransactionCount', params: [from, 'pending'] })))
  const nextNonce = new Map(senders.map((from, index) => [from, Number(counts[index])]))
  const hashes = await batch(
    transactions.map(({ from, to, data, gas = 5_000_000n }) => {
      const nonce = nextNonce.get(from) ?? 0
      nextNonce.set(from, nonce + 1)
      return {
        method: 'eth_sendTransaction',
        params: [{ from, to, data, gas: `0x${gas.toString(16)}`, nonce: `0x${nonce.toString(16)}` }],
      }
    }),
  )
  let waiting = hashes.map((hash, index) => ({ hash, index }))
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 25))
    if (attempt > 1_200) throw new Error('the dev chain does not mine')
    const receipts = await batch(waiting.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
    waiting = waiting.filter(({ hash, index }, position) => {
      const receipt = receipts[position]
      if (receipt === null) return true
      if (!receiptSchema.safeParse(receipt).success) throw new Error(`transaction ${index} (${hash}) reverted`)
      return false
    })
  }
}
