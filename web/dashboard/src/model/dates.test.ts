import { expect, test } from 'vitest'
import type { ClaimState, SaleState, VaultState } from '../reads/state.ts'
import { upcomingDates } from './dates.ts'
import { nextUnlock, vestedAt, vestingCurve } from './vesting.ts'

const TEAM = { amount: 3_600n, tgeBps: 0, cliff: 100, duration: 360 }
const BUYERS = { amount: 1_000n, tgeBps: 1_000, cliff: 30, duration: 90 }

test.each([
  [999, 0n, 0n],
  [1_000, 100n, 0n],
  [1_029, 100n, 0n],
  [1_030, 100n, 0n],
  [1_075, 550n, 0n],
  [1_100, 800n, 0n],
  [1_101, 810n, 10n],
  [1_120, 1_000n, 200n],
  [1_460, 1_000n, 3_600n],
])('default: at %d, %d of the buyers and %d of the team are free', (time, buyers, team) => {
  expect(vestedAt(BUYERS, 1_000, time)).toBe(buyers)
  expect(vestedAt(TEAM, 1_000, time)).toBe(team)
  expect(vestedAt(BUYERS, 0, time)).toBe(0n)
})

test('default: the next unlock is the TGE, then the cliff, then now, then nothing', () => {
  expect(nextUnlock(BUYERS, 0, 5)).toBeNull()
  expect(nextUnlock(BUYERS, 1_000, 900)).toBe(1_000)
  expect(nextUnlock(TEAM, 1_000, 900)).toBe(1_100)
  expect(nextUnlock(BUYERS, 1_000, 1_010)).toBe(1_030)
  expect(nextUnlock(BUYERS, 1_000, 1_050)).toBe(1_050)
  expect(nextUnlock(BUYERS, 1_000, 1_120)).toBeNull()
})

test('default: the curve has every bend, never falls, and ends with everything free', () => {
  const curve = vestingCurve([BUYERS, TEAM], 4)
  expect(curve.map(({ after }) => after)).toEqual([0, 30, 100, 115, 120, 230, 345, 460])
  expect(curve.at(-1)?.free).toEqual([1_000n, 3_600n])
  for (const [index, { free }] of curve.entries()) {
    const before = curve[index - 1]?.free ?? [0n, 0n]
    expect(free.every((amount, series) => amount >= (before[series] ?? 0n))).toBe(true)
  }
})

const PHASE = { price: 20_000n, cap: 1n, walletCap: 1n, soldAic: 0n, soldUsdc: 0n }
const SALE: SaleState = {
  ...{ name: 'open', raised: 0n, sold: 0n, softCap: 1n, endedAt: 0, coolingOff: 100, lastPurchaseBlock: 0n },
  ...{ pausedUntil: 0, pausedSeconds: 0, escrow: 0n, routed: 0n },
  phases: [
    { id: 1, start: 100, end: 200, ...PHASE },
    { id: 2, start: 300, end: 400, ...PHASE },
  ],
}
const CLAIMS: ClaimState = { ...BUYERS, tge: 0, claimed: 0n, held: 0n, unsoldFrom: 0, pausedUntil: 0, pausedSeconds: 0 }
const VAULT: VaultState = {
  ...{
    name: 'team',
    address: '0x',
    usdc: 0n,
    aic: 0n,
    locked: 0n,
    free: 0n,
    bps: 1_000,
    route: 0,
    due: 0n,
    routed: 0n,
  },
  schedules: [{ name: 'Team', ...TEAM }],
}

test('default: while the sale runs the dates are those of its phases, and the latest TGE', () => {
  const dates = upcomingDates({ sale: SALE, claims: CLAIMS, vaults: [VAULT], roles: null }, 150)
  expect(dates.map(({ kind, at }) => [kind, at])).toEqual([
    ['phaseEnds', 200],
    ['phaseStarts', 300],
    ['phaseEnds', 400],
    ['saleEnds', 400],
    ['coolingOffEnds', 500],
    ['tgeAtLatest', 500 + 90 * 86_400],
  ])
})

test('default: after the sale the dates are those of the vesting', () => {
  const sale: SaleState = { ...SALE, name: 'finalized', endedAt: 500 }
  const dates = upcomingDates(
    { sale, claims: { ...CLAIMS, tge: 1_000, unsoldFrom: 1_120 }, vaults: [VAULT], roles: null },
    900,
  )
  expect(dates.map((date) => [date.kind, 'allocation' in date ? date.allocation : '', date.at])).toEqual([
    ['tge', '', 1_000],
    ['cliffEnds', 'Investors', 1_030],
    ['cliffEnds', 'Team', 1_100],
    ['unsoldMoves', '', 1_120],
    ['allFree', 'Investors', 1_120],
    ['allFree', 'Team', 1_460],
  ])
})
