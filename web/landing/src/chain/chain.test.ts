import { type Address, encodeAbiParameters, encodeErrorResult, encodeEventTopics, type Hex, numberToHex } from 'viem'
import { expect, test, vi } from 'vitest'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { createPlainRpc, NodeError, type PlainRpc } from '../../../shared/chain-reads/plain-rpc.ts'
import { makeBehindCheck, makeLatestReader, readPurchases } from './purchases.ts'
import { refusalName } from './refusal.ts'
import { readDomain } from './usdc-domain.ts'

const PRESALE: Address = '0x00000000000000000000000000000000000000aa'
const BUYER: Address = '0x00000000000000000000000000000000000000bb'
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A node with purchases in these blocks, which searches at most `most` blocks a call. `fork` is part of each block's hash. */
function nodeWith(purchases: number[], most: number, head = 1_000_000, state = { fork: 0, searches: 0 }) {
  const rpc: PlainRpc = async (method, [first]) => {
    if (method === 'eth_getBlockByNumber') {
      const number = Number(first)
      return number > head
        ? null
        : { number: numberToHex(number), hash: hashOf(number + state.fork), timestamp: numberToHex(number * 2) }
    }
    state.searches += 1
    const { fromBlock, toBlock } = Object(first)
    if (Number(toBlock) - Number(fromBlock) + 1 > most) throw new NodeError('range too large', null)
    return purchases
      .filter((number) => number <= head && number >= Number(fromBlock) && number <= Number(toBlock))
      .map((number) => ({
        transactionHash: hashOf(number),
        topics: encodeEventTopics({ abi: presaleAbi, eventName: 'Purchased', args: { buyer: BUYER, phaseId: 1n } }),
        data: encodeAbiParameters(
          [{ type: 'uint256' }, { type: 'uint256' }, { type: 'address' }, { type: 'uint256' }],
          [5n, 6n, BUYER, BigInt(purchases.filter((earlier) => earlier < number).at(-1) ?? 0)],
        ),
      }))
  }
  return rpc
}

test.each([5, 100, 10_000])('default: purchases are listed through a node that allows %d blocks', async (most) => {
  const purchases = await readPurchases(nodeWith([7, 90_000, 812_345], most), PRESALE, 812_345n)
  expect(purchases.map(({ hash, time, usdc, aic }) => [Number(hash), time, usdc, aic])).toEqual([
    [812_345, 1_624_690, 5n, 6n],
    [90_000, 180_000, 5n, 6n],
    [7, 14, 5n, 6n],
  ])
})

test('behavior: a node that does not have the last purchase yet lists nothing wrong', async () => {
  expect(await readPurchases(nodeWith([7, 900], 5, 800), PRESALE, 900n)).toEqual([])
  expect(await readPurchases(nodeWith([], 5), PRESALE, 0n)).toEqual([])
})

test('behavior: the list is read again when the last purchase or its block is another one', async () => {
  const purchases = [7, 900]
  const state = { fork: 0, searches: 0 }
  const latest = makeLatestReader(nodeWith(purchases, 5, 1_000, state), PRESALE)
  const shown = await latest(900n)
  expect(await latest(900n)).toBe(shown)
  expect([shown.length, state.searches]).toEqual([2, 2])
  state.fork = 1
  expect(await latest(900n)).toHaveLength(2)
  expect(state.searches).toBe(4)
  // The last purchase was in a block that is no longer part of the chain.
  purchases.pop()
  expect((await latest(7n)).map(({ time }) => time)).toEqual([14])
  purchases.pop()
  expect(await latest(0n)).toEqual([])
})

test('behavior: a purchase whose block the node lacks is listed as soon as the node has it', async () => {
  const rpc = vi.fn(nodeWith([7, 900], 5, 800))
  const latest = makeLatestReader(rpc, PRESALE)
  expect(await latest(900n)).toEqual([])
  rpc.mockImplementation(nodeWith([7, 900], 5, 1_000))
  expect(await latest(900n)).toHaveLength(2)
})

test('behavior: an older newest block is not believed until it is read three times in sequence', () => {
  const isBehind = makeBehindCheck()
  expect([10n, 9n, 9n, 11n, 10n, 10n, 10n, 10n].map(isBehind)).toEqual([
    ...[false, true, true, false],
    ...[true, true, false, false],
  ])
})

/** Answers each request with the next of these; a text is the body, an error is thrown. */
function stubFetch(...answers: (string | Error)[]) {
  const bodies: string[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    bodies.push(body)
    const answer = answers[bodies.length - 1] ?? ''
    if (answer instanceof Error) throw answer
    return new Response(answer)
  })
  return bodies
}

test('default: calls that are made at once leave in one request', async () => {
  const bodies = stubFetch('[{"id":1,"result":"b"},{"id":0,"result":"a"}]')
  const rpc = createPlainRpc('http://node')
  expect(await Promise.all([rpc('one', []), rpc('two', [])])).toEqual(['a', 'b'])
  expect(bodies).toHaveLength(1)
})

test('behavior: a request that fails is sent once more, then the error is thrown', async () => {
  const bodies = stubFetch(new Error('no network'), '[{"id":0,"result":1}]', new Error('down'), new Error('still down'))
  const rpc = createPlainRpc('http://node')
  expect(await rpc('one', [])).toBe(1)
  await expect(rpc('one', [])).rejects.toThrow('still down')
  expect(bodies).toHaveLength(4)
})

test('error: a refusal of the whole batch, and an answer that is missing, reach each call', async () => {
  stubFetch('{"id":null,"error":{"message":"too many calls"}}', '[{"id":0,"result":1}]')
  const rpc = createPlainRpc('http://node')
  await expect(rpc('one', [])).rejects.toThrow('too many calls')
  const [first, second] = await Promise.allSettled([rpc('one', []), rpc('two', [])])
  expect(first.status).toBe('fulfilled')
  expect(second).toMatchObject({ reason: { message: 'The node left out an answer.' } })
})

test('default: the contract’s error is found wherever the wallet puts it', () => {
  const data = encodeErrorResult({ abi: presaleAbi, errorName: 'PhaseSoldOut', args: [1n, 5n] })
  expect(refusalName({ code: 3, message: 'execution reverted', data })).toBe('PhaseSoldOut')
  expect(refusalName({ code: -32603, data: { originalError: { data } } })).toBe('PhaseSoldOut')
  expect(refusalName({ message: 'execution reverted: Blacklistable: account is blacklisted' })).toBe('Blocklisted')
  expect(refusalName({ code: 4001, message: 'User rejected' })).toBe(null)
})

test.each<[string, Error]>([
  ['refuses', Object.assign(new Error('execution reverted'), { code: 3 })],
  ['refuses behind the words of a wallet', Object.assign(new Error('Internal error'), { data: { code: 3 } })],
])('behavior: a token that %s has no domain for permits', async (_how, refusal) => {
  expect(await readDomain({ request: () => Promise.reject(refusal) }, { usdc: PRESALE, chainId: 1 }, BUYER)).toBeNull()
})

test('error: a node that does not answer is not taken for a token without permits', async () => {
  const request = () => Promise.reject(Object.assign(new Error('Failed to fetch'), { code: -32603 }))
  await expect(readDomain({ request }, { usdc: PRESALE, chainId: 1 }, BUYER)).rejects.toThrow('Failed to fetch')
})
