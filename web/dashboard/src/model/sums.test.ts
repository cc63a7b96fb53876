import { expect, test } from 'vitest'
import type { ChainEvent } from '../reads/events.ts'
import { bucketsOf } from './days.ts'
import { buyersOf, purchasesCsv, purchasesOf, raisedByDay, refunded } from './purchases.ts'
import { stakersByStep, stakersOf } from './staking.ts'

const DAY = 86_400
const [ANN, BOB] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'] as const
const place = (at: number) => ({ contract: ANN, block: BigInt(at), transaction: '0xabc', logIndex: 0, at }) as const

const bought = (
  at: number,
  buyer: typeof ANN | typeof BOB,
  phase: bigint,
  usdc: bigint,
  relayer = buyer,
): ChainEvent => ({
  ...place(at),
  eventName: 'Purchased',
  // 0.02 USDC per AIC.
  args: { buyer, phaseId: phase, usdcAmount: usdc, aicAmount: usdc * 50n * 10n ** 12n, relayer, previousBlock: 0n },
})
const paidBack = (at: number, buyer: typeof ANN, usdcAmount: bigint): ChainEvent => ({
  ...place(at),
  eventName: 'Refunded',
  args: { buyer, usdcAmount },
})

test('default: purchases are the newest first, with their price and who sent them', () => {
  const [last, first] = purchasesOf([bought(100, ANN, 1n, 10_000_000n), bought(200, BOB, 2n, 3_000_000n, ANN)])
  expect(first).toMatchObject({ buyer: ANN, usdc: 10_000_000n, price: 20_000n, relayer: null, phaseId: 1 })
  expect(last).toMatchObject({ buyer: BOB, usdc: 3_000_000n, relayer: ANN, phaseId: 2, at: 200 })
})

test('default: raised by day counts empty days, phases apart, and the sum so far', () => {
  const events = [bought(DAY * 10 + 5, ANN, 1n, 4n), bought(DAY * 12, BOB, 2n, 6n), bought(DAY * 12 + 9, ANN, 1n, 1n)]
  const { unit, list } = raisedByDay(purchasesOf(events), 2, DAY * 13)
  expect(unit).toBe('day')
  expect(list).toEqual([
    { date: '1970-01-11', parts: [4n, 0n], running: 4n },
    { date: '1970-01-12', parts: [0n, 0n], running: 4n },
    { date: '1970-01-13', parts: [1n, 6n], running: 11n },
    { date: '1970-01-14', parts: [0n, 0n], running: 11n },
  ])
})

test('behavior: more than 92 days are shown as weeks, and nothing is lost', () => {
  const { unit, list } = bucketsOf(
    [
      { at: 0, series: 0, amount: 5n },
      { at: DAY * 100, series: 0, amount: 7n },
    ],
    1,
    DAY * 100,
  )
  expect(unit).toBe('week')
  expect(list).toHaveLength(15)
  expect(list.at(-1)).toEqual({ date: '1970-04-09', parts: [7n], running: 12n })
  expect(bucketsOf([], 1, DAY).list).toEqual([])
})

test('behavior: a buyer who took the money back is not counted, one who bought again is', () => {
  const events = [bought(1, ANN, 1n, 10n), bought(2, BOB, 1n, 4n), bought(3, BOB, 1n, 1n), paidBack(4, ANN, 10n)]
  expect(buyersOf(events)).toEqual([{ address: BOB, usdc: 5n, aic: 250n * 10n ** 12n, purchases: 2 }])
  expect(refunded(events)).toBe(10n)
  expect(buyersOf([...events, bought(5, ANN, 1n, 7n)]).map(({ address, usdc }) => [address, usdc])).toEqual([
    [ANN, 7n],
    [BOB, 5n],
  ])
})

test('default: the CSV has a heading and one line for each purchase', () => {
  const csv = purchasesCsv(purchasesOf([bought(1_800_000_000, ANN, 1n, 10_000_000n)])).split('\r\n')
  expect(csv).toEqual([
    'time,buyer,phase,usdc_atomic,aic_atomic,price_atomic,relayer,block,transaction',
    `2027-01-15T08:00:00.000Z,${ANN},1,10000000,500000000000000000000,20000,${ANN},1800000000,0xabc`,
    '',
  ])
})

test('default: stakers are counted from the logs and sorted into the steps of the ladder', () => {
  const staked = (account: typeof ANN | typeof BOB, amount: bigint): ChainEvent => ({
    ...place(1),
    eventName: 'Staked',
    args: { account, amount },
  })
  const unstaked: ChainEvent = {
    ...place(2),
    eventName: 'Unstaked',
    args: { account: BOB, amount: 50n, releaseTime: 9n },
  }
  const stakers = stakersOf([staked(ANN, 100n), staked(BOB, 50n), unstaked, staked(ANN, 20n)])
  expect(stakers).toEqual([{ address: ANN, staked: 120n }])
  expect(stakersByStep(stakers, [0n, 100n, 200n])).toEqual([
    { count: 0, staked: 0n },
    { count: 1, staked: 120n },
    { count: 0, staked: 0n },
  ])
})
