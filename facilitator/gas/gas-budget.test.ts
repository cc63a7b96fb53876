import { expect, test } from 'vitest'
import type { InFlight, RevertHistory } from '../store/store.ts'
import { BRAKE_MS, decide } from './gas-budget.ts'

const NOW = new Date('2026-01-01T12:00:00Z')
const BUDGET = { perPayer: 500n, onTrial: 1_000n, perNetwork: 10_000n }
const FRESH: RevertHistory = {
  hasReverted: false,
  payerRevertedAt: null,
  payerLost: 0n,
  networkLost: 0n,
  trialLost: 0n,
  credit: 0n,
}
const PAYER = '0xaa'
const open = (payer: InFlight['payer'], gas: bigint, isTrial: boolean) => ({ payer, gas, isTrial })
const ago = (ms: number) => new Date(NOW.getTime() - ms)

interface Case {
  title: string
  history?: Partial<RevertHistory>
  inFlight?: ReturnType<typeof open>[]
  hasCode?: boolean
  decision: object
}

const cases: Case[] = [
  { title: 'default: a payer without code is sent', decision: { isTrial: false } },
  {
    title: 'default: a payer with code and without credit is sent on trial',
    hasCode: true,
    decision: { isTrial: true },
  },
  {
    title: 'behavior: a payer with code and enough credit is not on trial',
    hasCode: true,
    history: { credit: 100n },
    decision: { isTrial: false },
  },
  {
    title: 'behavior: twice the credit covers this one and what is in flight',
    hasCode: true,
    history: { credit: 100n },
    inFlight: [open(PAYER, 100n, false)],
    decision: { isTrial: false },
  },
  {
    title: 'error: beyond twice the credit there is one settlement at a time',
    hasCode: true,
    history: { credit: 99n },
    inFlight: [open(PAYER, 100n, false)],
    decision: { refusal: 'payer_has_open_settlement' },
  },
  {
    title: 'behavior: credit counts up to the budget of a payer',
    hasCode: true,
    history: { credit: 9_999n },
    inFlight: [open(PAYER, 450n, false)],
    decision: { refusal: 'payer_has_open_settlement' },
  },
  {
    title: 'error: an authorization that reverted is refused, with or without code',
    history: { hasReverted: true, credit: 9_999n },
    decision: { refusal: 'authorization_reverted' },
  },
  {
    title: 'error: a payer with code is refused for a day after one revert',
    hasCode: true,
    history: { payerRevertedAt: ago(BRAKE_MS - 1), payerLost: 0n },
    decision: { refusal: 'payer_reverted_before' },
  },
  {
    title: 'behavior: after that day it is on trial again',
    hasCode: true,
    history: { payerRevertedAt: ago(BRAKE_MS) },
    decision: { isTrial: true },
  },
  {
    title: 'behavior: a payer without code may revert until its budget is used up',
    history: { payerRevertedAt: ago(1), payerLost: 499n },
    decision: { isTrial: false },
  },
  {
    title: 'error: a payer without code is refused when its budget is used up',
    history: { payerRevertedAt: ago(1), payerLost: 500n },
    decision: { refusal: 'payer_gas_budget_exhausted' },
  },
  {
    title: 'behavior: the trial budget can be used to its last unit',
    hasCode: true,
    history: { trialLost: 600n },
    inFlight: [open('0xbb', 300n, true), open('0xcc', 999n, false)],
    decision: { isTrial: true },
  },
  {
    title: 'error: what was lost and what is in flight on trial exhaust the trial budget',
    hasCode: true,
    history: { trialLost: 600n },
    inFlight: [open('0xbb', 301n, true)],
    decision: { refusal: 'trial_gas_budget_exhausted' },
  },
  {
    title: 'behavior: an exhausted trial budget stops no payer without code',
    history: { trialLost: 5_000n },
    decision: { isTrial: false },
  },
  {
    title: 'error: an exhausted budget of the network refuses payers without credit',
    history: { networkLost: 10_000n },
    decision: { refusal: 'gas_budget_exhausted' },
  },
  {
    title: 'behavior: an exhausted budget of the network does not stop payers with credit',
    history: { networkLost: 10_000n, credit: 1n },
    decision: { isTrial: false },
  },
]

test.each(cases)('$title', ({ history, inFlight = [], hasCode = false, decision }) => {
  const candidate = { payer: PAYER, hasCode, gas: 100n }
  expect(decide(BUDGET, { ...FRESH, ...history }, inFlight, candidate, NOW)).toEqual(decision)
})
