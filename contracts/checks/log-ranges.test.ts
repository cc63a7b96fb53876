import { expect, test } from 'vitest'
import { type BlockRange, newRangeLimit, readLast, readRanges, refusalOf } from './log-ranges.ts'

/** A node that allows `most` blocks a call, with one log in each block. */
function nodeOf(most: bigint, refusal = `block range too large, max is ${most}`) {
  const calls: bigint[] = []
  const read = async ({ fromBlock, toBlock }: BlockRange) => {
    const size = toBlock - fromBlock + 1n
    calls.push(size)
    if (size > most) throw new Error(refusal)
    return Array.from({ length: Number(size) }, (_, index) => fromBlock + BigInt(index))
  }
  return { calls, read, refusals: () => calls.filter((size) => size > most).length }
}

const inOrder = (blocks: bigint[]) => blocks.toSorted((a, b) => Number(a - b))

test.each([5n, 100n, 10_000n])('default: a node that allows %d blocks returns every log once', async (most) => {
  const node = nodeOf(most)
  const limit = newRangeLimit()
  const range = { fromBlock: 7n, toBlock: most * 30n }
  const last = await readLast(range, limit, node.read)
  const older = await readRanges({ ...range, toBlock: last.fromBlock - 1n }, limit, node.read)
  const blocks = inOrder([...older, ...last.logs])
  expect(blocks.length).toBe(Number(range.toBlock - 6n))
  expect(new Set(blocks).size).toBe(blocks.length)
  expect([blocks[0], blocks.at(-1)]).toEqual([7n, range.toBlock])
  expect(node.refusals()).toBeLessThan(20)
  expect(Number(limit.blocks)).toBeGreaterThan(Number(most) * 0.75)
  expect(node.calls.length).toBeLessThan(90)
})

test('behavior: the limit that a node showed holds for the next read, without another refusal', async () => {
  const node = nodeOf(100n)
  const limit = newRangeLimit()
  await readRanges({ fromBlock: 0n, toBlock: 5_000n }, limit, node.read)
  const before = node.refusals()
  await readRanges({ fromBlock: 5_001n, toBlock: 10_000n }, limit, node.read)
  expect(node.refusals() - before).toBeLessThanOrEqual(2)
})

test('behavior: too many logs make the calls smaller for a while, not for ever', async () => {
  const limit = newRangeLimit()
  const read = async ({ fromBlock, toBlock }: BlockRange): Promise<bigint[]> => {
    if (fromBlock < 1_000n && toBlock - fromBlock > 50n) throw new Error('query returned more than 10000 results')
    return []
  }
  await readRanges({ fromBlock: 0n, toBlock: 100_000n }, limit, read)
  expect(limit.refused).toBeNull()
  expect(limit.blocks).toBeGreaterThan(1_000n)
})

test('error: an error that is not a refusal of the range is thrown, and no call follows it', async () => {
  const calls: BlockRange[] = []
  const read = async (range: BlockRange): Promise<bigint[]> => {
    calls.push(range)
    throw new Error('fetch failed')
  }
  await expect(readRanges({ fromBlock: 0n, toBlock: 99_999n }, newRangeLimit(), read)).rejects.toThrow('fetch failed')
  expect(calls.length).toBe(2)
})

test('error: a node that refuses even one block is an error', async () => {
  const node = nodeOf(0n)
  await expect(readRanges({ fromBlock: 0n, toBlock: 10n }, newRangeLimit(), node.read)).rejects.toThrow('too large')
  await expect(readLast({ fromBlock: 0n, toBlock: 10n }, newRangeLimit(), node.read)).rejects.toThrow('too large')
})

test.each([
  ['eth_getLogs is limited to a 10,000 range', 'blocks'],
  ['Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.', 'blocks'],
  ['exceed maximum block range: 50000', 'blocks'],
  ['query exceeds max block range 1000', 'blocks'],
  ['query returned more than 10000 results', 'logs'],
  ['Log response size exceeded', 'logs'],
  ['Your app has exceeded its compute units per second capacity', null],
  ['rate limit exceeded', null],
  ['daily request count exceeded', null],
  ['missing trie node', null],
])('default: what the words of a node mean: %s', (words, meaning) => {
  expect(refusalOf(new Error(words))).toBe(meaning)
  expect(refusalOf(Object.assign(new Error('RPC failed'), { details: words }))).toBe(meaning)
})
