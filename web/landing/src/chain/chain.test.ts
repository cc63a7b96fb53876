import { type Address, encodeAbiParameters, encodeErrorResult, encodeEventTopics, type Hex, numberToHex } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { presaleAbi } from '../../../../contracts/abi/presale.ts'
import { createPlainRpc, NodeError, type PlainRpc } from '../../../chain-reads/plain-rpc.ts'
import { readPurchases } from './purchases.ts'
import { refusalName } from './refusal.ts'

const PRESALE: Address = '0x00000000000000000000000000000000000000aa'
const BUYER: Address = '0x00000000000000000000000000000000000000bb'
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A node with purchases in these blocks, which searches at most `most` blocks a call. */
function nodeWith(purchases: number[], most: number, head = 1_000_000) {
  const rpc: PlainRpc = async (method, [first]) => {
    if (method === 'eth_getBlockByNumber') {
      const number = Number(first)
      return number > head
        ? null
        : { number: numberToHex(number), hash: hashOf(number), timestamp: numberToHex(number * 2) }
    }
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

afterEach(() => {
  vi.unstubAllGlobals()
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
