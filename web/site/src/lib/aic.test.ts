import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, erc20Abi, type Hex, isHex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { aicStakingAbi } from '../../../../contracts/abi/aic-staking.ts'
import { useMessages } from '../messages/active.ts'
import { messages } from '../messages/en.ts'
import { readAicAmount, readFigures } from './aic.ts'

beforeAll(() => useMessages({ messages }))

const STAKING: Hex = `0x${'1'.repeat(40)}`
const OWNER: Hex = `0x${'4'.repeat(40)}`
const callSchema = z.tuple([z.object({ data: z.custom<Hex>(isHex) })]).rest(z.unknown())

/** The node of a wallet with these unstaked amounts, of which `withdrawable` is ready. */
function nodeWith(amounts: bigint[], withdrawable: bigint) {
  const result = amounts.map((amount, index) => ({ amount, releaseTime: 1000 + index }))
  return {
    request: async ({ params }: { params?: unknown }): Promise<unknown> => {
      const [{ data }] = callSchema.parse(params)
      const { functionName } = decodeFunctionData({ abi: [...aicStakingAbi, ...erc20Abi], data })
      if (functionName === 'portions') return encodeFunctionResult({ abi: aicStakingAbi, functionName, result })
      return encodeAbiParameters([{ type: 'uint256' }], [functionName === 'withdrawable' ? withdrawable : 0n])
    },
  }
}

it.each<[string, bigint[], bigint, [bigint, number][], boolean]>([
  ['nothing unstaked', [], 0n, [], false],
  [
    'each amount has its own date',
    [5n, 7n],
    0n,
    [
      [5n, 1000],
      [7n, 1001],
    ],
    false,
  ],
  ['ready amounts are no longer waiting', [5n, 7n, 9n], 12n, [[9n, 1002]], false],
  ['all is ready', [5n, 7n], 12n, [], false],
  ['eight amounts are the most', Array<bigint>(8).fill(1n), 7n, [[1n, 1007]], true],
])('default: unstaked AIC: %s', async (_, amounts, withdrawable, waiting, isFull) => {
  const contracts = { staking: STAKING, token: STAKING, wrapped: null }
  const figures = await readFigures(nodeWith(amounts, withdrawable), contracts, OWNER)
  expect(figures.waiting.map(({ amount, readyAt }) => [amount, readyAt.getTime() / 1000])).toEqual(waiting)
  expect([figures.isFull, figures.withdrawable]).toEqual([isFull, withdrawable])
})

it.each([
  ['1.5', 1_500_000_000_000_000_000n],
  [' 1000 ', 1_000_000_000_000_000_000_000n],
  ['1,5', null],
  ['1,500', null],
  ['1.500,5', null],
  ['-1', null],
  ['0', null],
  ['1e3', null],
  ['a lot', null],
  ['', null],
])('default: the amount %j is read as %s atomic units', (written, amount) => {
  expect(readAicAmount(written)).toBe(amount)
})
