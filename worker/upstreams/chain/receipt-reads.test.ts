import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { makeVirtualTime } from '../../../test/helpers/virtual-time.ts'
import type { Fetch } from '../../lib/http.ts'
import { ChainUnavailable } from './chain.ts'
import { makeReceiptReads } from './receipt-reads.ts'
import { makeRpc, makeRpcBatch } from './rpc.ts'

const INTERVAL_MS = 2_000
const hashAt = (count: number): Hex => `0x${count.toString(16).padStart(64, '0')}`
const callSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
type Call = z.infer<typeof callSchema>

/** A node over virtual time. Transactions are mined from `minedAt` on; `hang` of the next calls get no answer. */
function makeNode() {
  const time = makeVirtualTime()
  const heard: { at: number; transactions: number }[] = []
  const node = { hang: 0, isDown: false, takesBatches: true, minedAt: 0, heard, time }
  const result = ({ method, params }: Call): unknown => {
    if (method === 'eth_getBlockByNumber') return { number: '0x10', timestamp: '0x1' }
    if (time.now().getTime() < node.minedAt) return null
    return { status: '0x1', blockNumber: '0xf', transactionHash: params[0], logs: [] }
  }
  const answer = (call: Call) => ({ jsonrpc: '2.0', id: call.id, result: result(call) })
  const fetch: Fetch = async (_url, init) => {
    const calls = z.union([z.array(callSchema), callSchema]).parse(JSON.parse(String(init?.body)))
    heard.push({ at: time.now().getTime(), transactions: Array.isArray(calls) ? calls.length - 1 : 0 })
    if (node.isDown) throw new TypeError('connection refused')
    if (node.hang > 0) {
      node.hang -= 1
      return new Promise(() => undefined)
    }
    if (!Array.isArray(calls)) return Response.json(answer(calls))
    if (node.takesBatches) return Response.json(calls.map(answer).reverse())
    return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } })
  }
  const url = 'https://rpc.example'
  const reads = makeReceiptReads(makeRpcBatch(url, fetch), makeRpc(url, fetch), INTERVAL_MS, time)
  return { node, look: (count: number) => reads.look(hashAt(count)) }
}

/** Looks again and again, as a purchase does, until its transaction is mined. */
async function untilMined(
  look: () => ReturnType<ReturnType<typeof makeNode>['look']>,
  sleep: (ms: number) => Promise<void>,
) {
  for (;;) {
    const { receipt } = await look()
    if (receipt !== null) return receipt.transactionHash
    await sleep(500)
  }
}

it('default: one that waits alone is answered at once, by one call', async () => {
  const { node, look } = makeNode()
  const before = node.time.now().getTime()
  const { receipt, head } = await node.time.run(look(1))
  expect([receipt?.transactionHash, receipt?.blockNumber, head.number]).toEqual([hashAt(1), 15n, 16n])
  expect(node.time.now().getTime()).toBe(before)
  expect(node.heard).toHaveLength(1)
})

it('behavior: 150 purchases that wait for 9 s cost one call per interval', async () => {
  const { node, look } = makeNode()
  const start = node.time.now().getTime()
  node.minedAt = start + 9_000
  const all = Array.from({ length: 150 }, async (_, count) => {
    await node.time.sleep((count * 37) % 3_000)
    return untilMined(() => look(count), node.time.sleep)
  })
  expect(await node.time.run(Promise.all(all))).toEqual(Array.from({ length: 150 }, (_, count) => hashAt(count)))
  const gaps = node.heard.slice(1).map(({ at }, index) => at - (node.heard[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(INTERVAL_MS)
  expect(node.heard.length).toBeLessThanOrEqual((node.time.now().getTime() - start) / INTERVAL_MS + 1)
  expect(node.heard.some(({ transactions }) => transactions === 150)).toBe(true)
})

it('behavior: a reader that dies is replaced, and those who waited are answered', async () => {
  const { node, look } = makeNode()
  node.hang = 1
  void look(1).catch(() => undefined)
  const { receipt } = await node.time.run(look(2))
  expect(receipt?.transactionHash).toBe(hashAt(2))
  expect(node.heard).toHaveLength(2)
})

it('behavior: a node that takes no batches is asked one by one', async () => {
  const { node, look } = makeNode()
  node.takesBatches = false
  expect((await node.time.run(look(1))).receipt?.transactionHash).toBe(hashAt(1))
  expect(node.heard).toHaveLength(3)
  await node.time.advance(INTERVAL_MS)
  await node.time.run(look(2))
  expect(node.heard).toHaveLength(5)
})

it('error: ChainUnavailable when the node is down, for all, at one call per interval', async () => {
  const { node, look } = makeNode()
  node.isDown = true
  const outcomes = Promise.all([1, 2, 3].map((count) => look(count).catch((error: unknown) => error)))
  for (const outcome of await node.time.run(outcomes)) expect(outcome).toBeInstanceOf(ChainUnavailable)
  expect(node.heard.map(({ at }) => (at - (node.heard[0]?.at ?? 0)) / INTERVAL_MS)).toEqual([0, 1, 2])
})
