import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type LogStore, loadLogs, nameOfSource, saveLogs } from './kept-logs.ts'
import { type Block, type ChainLog, createLogFollower, NodeBehindError } from './log-follower.ts'

const HEX32 = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** A chain in memory with the limits and faults of real nodes. Each block has a log when its number is divisible by `every`. */
function fakeNode({ most = 10_000, every = 1, head = 100 }) {
  const fork = new Map<number, number>()
  const state = { head, most, calls: 0, failing: false }
  const block = (number: number): Block => ({
    ...{ number: BigInt(number), timestamp: 1_000 + number },
    hash: HEX32(number * 1_000 + (fork.get(number) ?? 0)),
  })
  const logOf = (number: number): ChainLog => ({
    ...{ address: '0x0000000000000000000000000000000000000001', topics: [HEX32(1)], data: '0x', logIndex: 0 },
    ...{ blockNumber: BigInt(number), blockHash: block(number).hash, transactionHash: HEX32(number) },
    timestamp: block(number).timestamp,
  })
  return {
    state,
    /** Replaces the blocks from this one on. */
    reorganise(from: number): void {
      for (let number = from; number <= state.head; number += 1) fork.set(number, (fork.get(number) ?? 0) + 1)
    },
    source: {
      latest: async () => block(state.head),
      block: async (number: bigint) => (Number(number) <= state.head ? block(Number(number)) : null),
      logs: async ({ fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint }) => {
        state.calls += 1
        if (state.failing) throw new Error('fetch failed')
        if (Number(toBlock - fromBlock) + 1 > state.most) throw new Error(`max block range is ${state.most}`)
        const numbers = Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, index) => Number(fromBlock) + index)
        return numbers.filter((number) => number % every === 0).map(logOf)
      },
    },
  }
}

const blocksOf = (logs: readonly ChainLog[]) => logs.map(({ blockNumber }) => Number(blockNumber))

test.each([5, 100, 10_000])('default: all logs are read from a node that allows %d blocks', async (most) => {
  const node = fakeNode({ most, every: 10, head: most * 20 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n })
  const { logs, readFrom } = await follower.update()
  expect(readFrom).toBe(0n)
  expect(blocksOf(logs)).toEqual(Array.from({ length: most * 2 + 1 }, (_, index) => index * 10))
})

test('behavior: an update reads only the new blocks', async () => {
  const node = fakeNode({ head: 50 })
  const follower = createLogFollower({ source: node.source, fromBlock: 10n })
  await follower.update()
  node.state.head = 53
  const before = node.state.calls
  const { head, logs } = await follower.update()
  expect(node.state.calls - before).toBe(1)
  expect(head.number).toBe(53n)
  expect(blocksOf(logs).slice(-4)).toEqual([50, 51, 52, 53])
  const same = await follower.update()
  expect(same.logs).toBe(logs)
})

test('behavior: a history that is too long for the node is read as far as the calls suffice', async () => {
  const node = fakeNode({ most: 5, head: 100_000 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n, mostCalls: 20 })
  const { logs, readFrom } = await follower.update()
  expect(Number(readFrom)).toBeGreaterThan(99_800)
  expect(blocksOf(logs)[0]).toBe(Number(readFrom))
  expect(node.state.calls).toBeLessThan(60)
})

test('behavior: a reorganisation drops the replaced logs and reads the new ones', async () => {
  const node = fakeNode({ head: 20 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n })
  await follower.update()
  node.state.head = 25
  const old = await follower.update()
  node.reorganise(22)
  node.state.head = 27
  const { logs, dropped } = await follower.update()
  expect(blocksOf(logs)).toEqual(Array.from({ length: 28 }, (_, index) => index))
  expect(dropped).toBe(5)
  expect(logs.at(22)?.blockHash).not.toBe(old.logs.at(22)?.blockHash)
})

test('behavior: a reorganisation of everything that was seen reads all of it again', async () => {
  const node = fakeNode({ head: 20 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n })
  const first = await follower.update()
  node.reorganise(0)
  const { logs, dropped } = await follower.update()
  expect(dropped).toBe(21)
  expect(blocksOf(logs)).toEqual(blocksOf(first.logs))
  expect(logs[0]?.blockHash).not.toBe(first.logs[0]?.blockHash)
})

test('error: a node that fell behind is reported, and what was seen stays', async () => {
  const node = fakeNode({ head: 20 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n })
  await follower.update()
  node.state.head = 15
  await expect(follower.update()).rejects.toThrow(NodeBehindError)
  node.state.head = 21
  expect(blocksOf((await follower.update()).logs)).toHaveLength(22)
})

test('behavior: a chain that became shorter is followed after three updates', async () => {
  const node = fakeNode({ head: 20 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n })
  await follower.update()
  node.reorganise(10)
  node.state.head = 12
  await expect(follower.update()).rejects.toThrow(NodeBehindError)
  await expect(follower.update()).rejects.toThrow(NodeBehindError)
  const { logs } = await follower.update()
  expect(blocksOf(logs)).toEqual(Array.from({ length: 13 }, (_, index) => index))
})

test('error: a failed update changes nothing', async () => {
  const node = fakeNode({ head: 20 })
  const follower = createLogFollower({ source: node.source, fromBlock: 0n })
  await follower.update()
  node.state.head = 30
  node.state.failing = true
  await expect(follower.update()).rejects.toThrow('fetch failed')
  node.state.failing = false
  expect(blocksOf((await follower.update()).logs)).toHaveLength(31)
})

/** A store in memory that copies as the browser's database does. */
function memoryStore() {
  const state: { record: unknown } = { record: undefined }
  const store: LogStore = {
    load: async () => structuredClone(state.record),
    save: async (record) => {
      state.record = structuredClone(record)
    },
  }
  return { state, store }
}

/** Follows the logs as in a new visit, with what the last visit kept. Returns what was read, and in how many calls. */
async function visit(node: ReturnType<typeof fakeNode>, store: LogStore, mostCalls = 400) {
  const first = await node.source.block(0n)
  if (first === null) throw new Error('no first block')
  const name = nameOfSource({ chainId: 1, first, addresses: [], topics: [] })
  const start = await loadLogs(store, name)
  const follower = createLogFollower({ source: node.source, fromBlock: 0n, start, mostCalls })
  const before = node.state.calls
  const read = await follower.update()
  if (follower.seen !== null) await saveLogs(store, name, follower.seen)
  return { ...read, blocks: blocksOf(read.logs), calls: node.state.calls - before }
}
const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, index) => index)

test('default: a later visit reads only what is new since the last one', async () => {
  const { store } = memoryStore()
  const node = fakeNode({ head: 50, most: 10 })
  expect((await visit(node, store)).calls).toBeGreaterThan(4)
  node.state.head = 55
  const { blocks, calls, readFrom } = await visit(node, store)
  expect([calls, readFrom]).toEqual([1, 0n])
  expect(blocks).toEqual(upTo(55))
})

test('behavior: kept logs that a reorganisation replaced are read again', async () => {
  const { store } = memoryStore()
  const node = fakeNode({ head: 20 })
  const old = await visit(node, store)
  node.reorganise(10)
  node.state.head = 25
  const { blocks, logs, dropped } = await visit(node, store)
  expect(blocks).toEqual(upTo(25))
  expect(logs[12]?.blockHash).not.toBe(old.logs[12]?.blockHash)
  expect(dropped).toBe(21)
})

test('behavior: kept logs of another chain with the same id are not used', async () => {
  const { store } = memoryStore()
  await visit(fakeNode({ head: 50 }), store)
  const other = fakeNode({ head: 20, every: 5 })
  other.reorganise(0)
  expect((await visit(other, store)).blocks).toEqual([0, 5, 10, 15, 20])
})

test('behavior: after too long a time for the calls, what was kept before the gap is left out', async () => {
  const { store } = memoryStore()
  const node = fakeNode({ head: 20, most: 5 })
  await visit(node, store)
  node.state.head = 10_000
  const { blocks, readFrom } = await visit(node, store, 20)
  expect(blocks[0]).toBe(Number(readFrom))
  expect(Number(readFrom)).toBeGreaterThan(9_000)
})

test.each<[string, (record: { logs: unknown[] }) => unknown]>([
  ['is missing', () => undefined],
  ['has a log that is none', ({ logs, ...rest }) => ({ ...rest, logs: [...logs, { data: '0x' }] })],
  ['has no logs', ({ logs: _, ...rest }) => rest],
])('error: when the record %s, everything is read again', async (_what, spoil) => {
  const { state, store } = memoryStore()
  const node = fakeNode({ head: 50, most: 10 })
  await visit(node, store)
  state.record = spoil(state.record as { logs: unknown[] })
  const { blocks, calls } = await visit(node, store)
  expect(blocks).toEqual(upTo(50))
  expect(calls).toBeGreaterThan(4)
})

test('error: a store that fails keeps nothing and hinders nothing', async () => {
  const fail = () => Promise.reject(new Error('site data is blocked'))
  const node = fakeNode({ head: 20 })
  expect((await visit(node, { load: fail, save: fail })).blocks).toEqual(upTo(20))
})
