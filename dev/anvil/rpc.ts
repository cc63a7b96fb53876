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

/** A JSON-RPC client that sends many calls in one HTTP request. */
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
  /** Set so that the node does not estimate it. */
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

/**
 * One after the other: a transaction that reaches anvil while the one before it is being mined may wait in its pool for ever, for a
 * transaction that has already left it.
 */
async function transact(batch: Rpc['batch'], transactions: readonly Transaction[]): Promise<void> {
  for (const [index, { from, to, data, gas = 5_000_000n }] of transactions.entries()) {
    const params = [{ from, to, data, gas: `0x${gas.toString(16)}` }]
    const [hash] = await batch([{ method: 'eth_sendTransaction', params }])
    const receipt = await receiptOf(batch, hash)
    if (!receiptSchema.safeParse(receipt).success) throw new Error(`transaction ${index} (${hash}) reverted`)
  }
}

const POLL_MS = 5
const LONGEST_WAIT_MS = 30_000

async function receiptOf(batch: Rpc['batch'], hash: unknown): Promise<unknown> {
  const deadline = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const [receipt] = await batch([{ method: 'eth_getTransactionReceipt', params: [hash] }])
    if (receipt !== null) return receipt
    if (Date.now() > deadline) throw new Error('the dev chain does not mine')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
