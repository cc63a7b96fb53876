import { parseUnits } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkEnv } from '../../../build/required-env.ts'
import { hardCapOf, type Phase } from '../../../shared/chain-reads/sale.ts'
import { useShared } from '../../../shared/texts.ts'
import { shared as german } from '../../../shared/words/de.ts'
import { shared as english } from '../../../shared/words/en.ts'
import { RULES } from '../../variables.ts'
import { mostFor, readEntry } from './entry.ts'
import { isRefundAChoice, type Own, offersOf, phaseOnSale, type Sale, stageOf } from './sale.ts'

const aic = (whole: string): bigint => parseUnits(whole, 18)
const usdc = (whole: string): bigint => parseUnits(whole, 6)

const phaseOf = (id: number, changed: Partial<Phase> = {}): Phase => ({
  ...{ id, start: id * 100, end: id * 100 + 50, price: usdc('0.02'), cap: aic('1000000') },
  ...{ walletCap: usdc('5000'), soldAic: 0n },
  ...changed,
})
const saleOf = (changed: Partial<Sale> = {}): Sale => ({
  ...{ state: 'open', raised: 0n, sold: 0n, softCap: usdc('10000'), minPurchase: usdc('10') },
  ...{ phases: [phaseOf(1), phaseOf(2)], pausedUntil: 0, coolingOff: 100 },
  ...changed,
})
const OWN: Own = {
  ...{ usdc: usdc('400'), boughtAic: 0n, boughtUsdc: 0n, spentIn: [0n, 0n] },
  ...{ total: 0n, vested: 0n, claimed: 0n },
}

beforeAll(() => useShared(english))

describe('the stage of a sale', () => {
  it.each<[string, Partial<Sale>, number, string]>([
    ['before the first phase', { state: 'waiting' }, 50, 'waiting'],
    ['in a phase', {}, 120, 'open'],
    ['between phases', { state: 'waiting' }, 170, 'between'],
    ['in a phase that is sold out', { phases: [phaseOf(1, { soldAic: aic('1000000') }), phaseOf(2)] }, 120, 'sold_out'],
    ['in the last phase, all sold', { phases: [phaseOf(1), phaseOf(2, { soldAic: aic('1000000') })] }, 220, 'all_sold'],
    ['while paused', { state: 'paused', pausedUntil: 999 }, 120, 'paused'],
    ['cooling off, below the soft cap', { state: 'cooling_off', raised: usdc('9999.999999') }, 300, 'missed'],
    ['cooling off, at the soft cap', { state: 'cooling_off', raised: usdc('10000') }, 250, 'cooling_off'],
    ['over, below the soft cap', { state: 'ended', raised: usdc('9999.999999') }, 350, 'missed'],
    ['over, at the soft cap', { state: 'ended', raised: usdc('10000') }, 350, 'ended'],
    ['over by the clock before the chain says so', { raised: usdc('10000') }, 349, 'cooling_off'],
    ['cooled off by the clock before the chain says so', { state: 'cooling_off', raised: usdc('10000') }, 350, 'ended'],
    ['over by the clock in a pause', { state: 'paused', pausedUntil: 999, raised: usdc('10000') }, 250, 'cooling_off'],
    ['finalized', { state: 'finalized' }, 300, 'finalized'],
    ['cancelled', { state: 'cancelled' }, 120, 'cancelled'],
  ])('default: %s', (_when, changed, now, at) => {
    expect(stageOf(saleOf(changed), 1, now).at).toBe(at)
  })

  it('behavior: the phase that runs is sold, whichever the page was made for', () => {
    expect(stageOf(saleOf(), 1, 220)).toMatchObject({ at: 'open', phase: { id: 2 }, isOther: true })
    expect(stageOf(saleOf(), 2, 220)).toMatchObject({ isOther: false })
  })

  it('behavior: leaving is a choice only while the sale can still become final', () => {
    const raised = usdc('10000')
    expect(isRefundAChoice(saleOf({ state: 'cooling_off', raised }), 1, 300)).toBe(true)
    expect(isRefundAChoice(saleOf({ state: 'ended', raised }), 1, 400)).toBe(true)
    expect(isRefundAChoice(saleOf({ state: 'ended', raised: 0n }), 1, 400)).toBe(false)
    expect(isRefundAChoice(saleOf({ state: 'cancelled', raised }), 1, 400)).toBe(false)
    expect(hardCapOf(saleOf().phases)).toBe(usdc('40000'))
  })
})

it.each<[string, Partial<Sale>, number, number | null]>([
  ['before the first phase: the first', { state: 'waiting' }, 50, 1],
  ['in a phase: that one', {}, 220, 2],
  ['between phases: the next', { state: 'waiting' }, 170, 2],
  ['paused in a phase: that one', { state: 'paused', pausedUntil: 999 }, 120, 1],
  ['paused between phases: the next', { state: 'paused', pausedUntil: 999 }, 170, 2],
  ['over: none', { state: 'ended' }, 300, null],
  ['final: none', { state: 'finalized' }, 120, null],
  ['cancelled in a phase: none', { state: 'cancelled' }, 120, null],
])('default: the phase whose price and rest are shown, %s', (_when, changed, now, id) => {
  expect(phaseOnSale(saleOf(changed), 1, now)?.id ?? null).toBe(id)
})

describe('what a person can do', () => {
  const raised = usdc('10000')
  it.each<[string, Partial<Sale>, number, string[]]>([
    ['waiting', { state: 'waiting' }, 50, []],
    ['open', {}, 120, ['buy']],
    ['sold out, with a phase to come', { phases: [phaseOf(1, { soldAic: aic('1000000') }), phaseOf(2)] }, 120, []],
    ['all sold', { phases: [phaseOf(1), phaseOf(2, { soldAic: aic('1000000') })] }, 220, []],
    ['between two phases', { state: 'waiting' }, 170, []],
    ['paused', { state: 'paused', pausedUntil: 999 }, 120, []],
    ['cooling off, at its soft cap', { state: 'cooling_off', raised }, 300, ['refund']],
    ['cooling off and paused', { state: 'cooling_off', raised, pausedUntil: 999 }, 300, ['refund']],
    ['cooling off, below its soft cap', { state: 'cooling_off' }, 300, ['refund']],
    ['over, at its soft cap', { state: 'ended', raised }, 350, ['finish', 'refund']],
    ['over, below its soft cap', { state: 'ended' }, 350, ['refund']],
    ['cancelled', { state: 'cancelled' }, 120, ['refund']],
    ['cancelled at its soft cap', { state: 'cancelled', raised }, 300, ['refund']],
    ['final', { state: 'finalized', raised }, 350, ['claim']],
  ])('default: with a sale that is %s', (_when, changed, now, offers) => {
    expect(offersOf(saleOf(changed), 1, now)).toEqual(offers)
  })
})

describe('an amount to buy for', () => {
  const phase = phaseOf(1)
  const least = usdc('10')
  const almostSold = phaseOf(1, { soldAic: aic('999900') })

  it.each<[string, Phase, Own | null, unknown]>([
    ['', phase, OWN, { at: 'empty' }],
    ['100', phase, OWN, { at: 'good', usdc: usdc('100'), aic: aic('5000') }],
    ['0.000001', phaseOf(1, { price: 3n }), null, { fault: 'too_small' }],
    ['1,5', phase, OWN, { fault: 'malformed' }],
    ['0', phase, OWN, { fault: 'malformed' }],
    ['-5', phase, OWN, { fault: 'malformed' }],
    ['9.999999', phase, OWN, { fault: 'too_small' }],
    ['400.000001', phase, OWN, { fault: 'over_balance' }],
    ['5000.000001', phase, null, { fault: 'over_wallet_cap' }],
    ['300', phase, { ...OWN, spentIn: [usdc('4800'), 0n] }, { fault: 'over_wallet_cap' }],
    ['2.000001', almostSold, OWN, { fault: 'over_phase' }],
    // The last piece of a phase may be smaller than the smallest purchase.
    ['2', almostSold, OWN, { at: 'good', aic: aic('100') }],
  ])('default: "%s" is read as the contract would', (written, of, own, expected) => {
    expect(readEntry(written, of, own, usdc('10'))).toMatchObject(Object(expected))
  })

  it('behavior: an amount has the decimal separator of the language', () => {
    useShared(german)
    expect(readEntry('1,5', phaseOf(1), null, 1n)).toMatchObject({ usdc: usdc('1.5') })
    expect(readEntry('1.5', phaseOf(1), null, 1n)).toMatchObject({ fault: 'malformed' })
    useShared(english)
  })

  it('default: the most is the smallest of what the phase, the wallet cap and the balance allow', () => {
    expect(mostFor(phase, OWN, least)).toBe(usdc('400'))
    expect(mostFor(almostSold, OWN, least)).toBe(usdc('2'))
    expect(mostFor(phase, { ...OWN, spentIn: [usdc('4900'), 0n] }, least)).toBe(usdc('100'))
    expect(mostFor(phase, null, least)).toBe(usdc('5000'))
  })

  it('behavior: the most is nothing when it is less than the smallest purchase', () => {
    expect(mostFor(phase, { ...OWN, usdc: usdc('9.999999') }, least)).toBe(0n)
    expect(mostFor(phase, { ...OWN, spentIn: [usdc('4995'), 0n] }, least)).toBe(0n)
    // Of the last piece, too, only all of it.
    expect(mostFor(almostSold, { ...OWN, usdc: usdc('1') }, least)).toBe(0n)
  })
})

it('error: every variable of the build that is missing or wrong is named at once', () => {
  const wrong = {
    NEXT_PUBLIC_NETWORK_NAME: 'moon',
    NEXT_PUBLIC_EXPLORER_BASE_URL: 'http://x',
    NEXT_PUBLIC_USDC_ADDRESS: '0x1',
  }
  const names = Object.keys(RULES)
  expect(names).toHaveLength(7)
  for (const name of names) expect(() => checkEnv(wrong, RULES)).toThrow(name)
})
