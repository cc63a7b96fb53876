import { createClient, custom, encodeAbiParameters, encodeEventTopics, type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { presaleAbi } from '../../../contracts/abi/presale.ts'
import { readLinkedPurchases } from './linked-purchases.ts'
import { createLogFollower, NodeBehindError } from './log-follower.ts'
import { viemLogSource } from './viem-source.ts'

const PRESALE = '0x00000000000000000000000000000000000000aa'
const BUYER = '0x00000000000000000000000000000000000000bb'
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A JSON-RPC node with purchases in these blocks, each of which names the one before. */
function fakeRpc(purchases: number[], { head = 1_000, most = 5, hasTimes = true } = {}) {
  const state = { head, stale: 0, methods: [] as string[] }
  const logAt = (number: number) => ({
    ...{
      address: PRESALE,
      blockNumber: numberToHex(number),
      blockHash: hashOf(number),
      transactionHash: hashOf(number),
    },
    ...{ logIndex: '0x0', ...(hasTimes && { blockTimestamp: numberToHex(number * 2) }) },
    topics: encodeEventTopics({ abi: presaleAbi, eventName: 'Purchased', args: { buyer: BUYER, phaseId: 1n } }),
    data: encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }, { type: 'address' }, { type: 'uint256' }],
      [5n, 6n, BUYER, BigInt(purchases.filter((earlier) => earlier < number).at(-1) ?? 0)],
    ),
  })
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    state.methods.push(method)
    const [first] = (params ?? []) as [never]
    if (method === 'eth_blockNumber') return numberToHex(state.head - state.stale)
    if (method === 'eth_getBlockByNumber') {
      const number = first === 'latest' ? state.head : Number(first)
      return { number: numberToHex(number), hash: hashOf(number), timestamp: numberToHex(number * 2) }
    }
    const { fromBlock, toBlock } = first as { fromBlock: Hex; toBlock: Hex }
    if (Number(toBlock) - Number(fromBlock) + 1 > most) throw Object.assign(new Error(`max block range: ${most}`))
    return purchases.filter((number) => number >= Number(fromBlock) && number <= Number(toBlock)).map(logAt)
  }
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  return { state, source: viemLogSource(client, { addresses: [PRESALE] }) }
}

test.each([5, 100, 10_000])('default: all purchases come through a node that allows %d blocks a call', async (most) => {
  const { source } = fakeRpc([3, 500, 999], { most })
  const { logs } = await createLogFollower({ source, fromBlock: 1n }).update()
  expect(logs.map(({ blockNumber, timestamp }) => [Number(blockNumber), timestamp])).toEqual([
    [3, 6],
    [500, 1_000],
    [999, 1_998],
  ])
})

test('default: the time of a log is that of its block when the node leaves it out', async () => {
  const { source, state } = fakeRpc([3, 4], { hasTimes: false, most: 100 })
  const logs = await source.logs({ fromBlock: 1n, toBlock: 10n })
  expect(logs.map(({ timestamp }) => timestamp)).toEqual([6, 8])
  await source.logs({ fromBlock: 1n, toBlock: 10n })
  expect(state.methods.filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(2)
})

test('error: an empty answer of a node that is behind is not believed', async () => {
  const { source, state } = fakeRpc([], { head: 1_000, most: 100 })
  await source.latest()
  state.stale = 3
  await expect(source.logs({ fromBlock: 990n, toBlock: 1_000n })).rejects.toThrow(NodeBehindError)
  expect(await source.logs({ fromBlock: 100n, toBlock: 150n })).toEqual([])
})

test('default: purchases are found one block at a time from the last to the first', async () => {
  const { source } = fakeRpc([7, 90_000, 812_345], { head: 900_000, most: 5 })
  const all = { mostCalls: 10, isPurchase: () => true }
  const { logs, next } = await readLinkedPurchases(source, 812_345n, all)
  expect(logs.map(({ blockNumber }) => Number(blockNumber))).toEqual([812_345, 90_000, 7])
  expect(next).toBe(0n)
  const part = await readLinkedPurchases(source, 812_345n, { ...all, mostCalls: 2 })
  expect(part.next).toBe(7n)
  await expect(readLinkedPurchases(source, 8n, all)).rejects.toThrow('does not return the purchase in block 8')
})
